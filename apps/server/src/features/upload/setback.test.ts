import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'
import { setbackOf } from '../../api/health/setback.ts'
import { KeysAway } from '../../db/field/key-file.ts'
import { loadUpload } from './upload.jobs.ts'
import { waitingWithoutJob } from './waiting.queries.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer({ work: false })
})
afterAll(() => server.close())

const FILES = {
  patients: 'patient_id,sex,date_of_birth\n1,F,1950-02-03\n',
  drugs: 'drug_id,name,atc,pack_size\nA,Rosuvastatin 10 mg tablet,C10AA07,30\n',
  scripts: 'script_id,dispensed_on,patient_id,drug_id,patient_price\na,2026-01-10,1,A,7.70\n',
}

const stateOf = async (pharmacy: TestPharmacy, uuid: string) => (await pharmacy.status(uuid)).etl_state
const load = (uuid: string) => loadUpload.run({ uuid }, server.services)

let holder: pg.Client | undefined
/** Blocks every load once its scripts are merged, until released. Not on the scripts' table: a cluster holds it elsewhere. */
async function holdLoads(): Promise<void> {
  holder = new pg.Client({ connectionString: server.ownerUrl })
  await holder.connect()
  await holder.query('begin; lock table patient_measure in exclusive mode')
}
const letGo = async () => {
  await holder?.end()
  holder = undefined
}
afterEach(async () => {
  await letGo()
  await failMerge(null)
})

/** Makes the database return this code once scripts are merged, as in the real fault. */
async function failMerge(code: string | null): Promise<void> {
  await sql`drop trigger if exists broken on patient_measure`.execute(server.owner)
  if (code === null) return
  await sql`
    create or replace function break_merge() returns trigger language plpgsql as ${sql.lit(
      `begin raise exception 'could not go on' using errcode = '${code}'; end`,
    )}`.execute(server.owner)
  await sql`create trigger broken before insert on patient_measure for each statement execute function break_merge()`.execute(
    server.owner,
  )
}

describe('a worker killed with -9 in the middle of a load', () => {
  it('three times does no harm: the upload still ends COMPLETED', { timeout: 120_000 }, async () => {
    const pharmacy = await server.pharmacy()
    const { uuid } = (await pharmacy.upload(FILES)).body
    await holdLoads()
    for (let kill = 0; kill < 3; kill++) {
      const worker = await server.startWorker()
      await expect.poll(() => stateOf(pharmacy, uuid), { timeout: 30_000 }).toBe('PROCESSING')
      worker.kill('SIGKILL')
      await once(worker, 'exit')
      await server.passTwoHours()
      const recovered = async () => {
        await server.recover()
        return stateOf(pharmacy, uuid)
      }
      await expect.poll(recovered, { timeout: 30_000 }).not.toBe('PROCESSING')
      expect(await pharmacy.status(uuid)).toMatchObject({
        etl_state: 'RECEIVED',
        notes:
          'The load broke off, because the server or its database stopped or could not go on. ' +
          'Nothing of this upload was applied and nothing of it is lost: it will be loaded by itself.',
      })
      await server.passTwoHours()
    }
    await letGo()
    const worker = await server.startWorker()
    expect(await pharmacy.settled(uuid)).toMatchObject({ etl_state: 'COMPLETED', notes: 'Scripts: 1 new, 0 changed.' })
    worker.kill('SIGKILL')
    expect(await pharmacy.scripts()).toHaveLength(1)
  })
})

describe('a server fault', () => {
  it.each([
    ['53100', 'The disk of the server was full.'],
    ['57P01', 'The database of the server was away or overloaded.'],
    ['57014', 'The database of the server was away or overloaded.'],
    ['40P01', 'The database of the server was away or overloaded.'],
  ])('%s backs off however often it comes, with a true note, and the upload is loaded after it', async (code, note) => {
    const pharmacy = await server.pharmacy()
    const { uuid } = (await pharmacy.upload(FILES)).body
    const before = await pharmacy.fingerprint()
    await failMerge(code)
    for (let time = 0; time < 5; time++) {
      await load(uuid)
      const status = await pharmacy.status(uuid)
      expect(status).toMatchObject({ etl_state: 'RECEIVED', notes: expect.stringContaining(note) })
      expect(Date.parse(status.retry_at ?? '')).toBeGreaterThan(Date.now())
      // Not before its retry time.
      await load(uuid)
      expect((await pharmacy.status(uuid)).retry_at).toBe(status.retry_at)
      await server.passTwoHours()
    }
    expect(await pharmacy.fingerprint()).toBe(before)
    await failMerge(null)
    await load(uuid)
    expect(await pharmacy.status(uuid)).toMatchObject({
      etl_state: 'COMPLETED',
      retry_at: null,
      notes: expect.stringContaining('1 new'),
    })
  })

  it('delays nothing beyond the longest wait if the database’s clock was two days ahead and has been set back', async () => {
    const pharmacy = await server.pharmacy()
    const { uuid } = (await pharmacy.upload(FILES)).body
    await failMerge('53100')
    await load(uuid)
    await failMerge(null)
    const wait = (time: string) =>
      sql`update upload set retry_at = now() + ${time}::interval where uuid = ${uuid}::uuid`.execute(server.owner)
    await wait('59 minutes')
    expect(await waitingWithoutJob(server.services.pools.system, 'no job')).not.toContain(uuid)
    await load(uuid)
    expect(await stateOf(pharmacy, uuid)).toBe('RECEIVED')
    await wait('2 days')
    expect(await waitingWithoutJob(server.services.pools.system, 'no job')).toContain(uuid)
    await load(uuid)
    expect(await stateOf(pharmacy, uuid)).toBe('COMPLETED')
  })

  it('delays later uploads of the same pharmacy, to keep their order, and nobody else', async () => {
    const [pharmacy, other] = [await server.pharmacy(), await server.pharmacy()]
    const first = (await pharmacy.upload(FILES)).body.uuid
    const second = (await pharmacy.upload({ scripts: FILES.scripts.replace('7.70', '9.90') })).body.uuid
    await failMerge('53100')
    await load(first)
    await failMerge(null)
    const theirs = (await other.upload(FILES)).body.uuid
    await load(second)
    expect([await stateOf(pharmacy, first), await stateOf(pharmacy, second)]).toEqual(['RECEIVED', 'RECEIVED'])
    expect(await stateOf(other, theirs)).toBe('COMPLETED')
    await server.passTwoHours()
    await load(first)
    expect([await stateOf(pharmacy, first), await stateOf(pharmacy, second)]).toEqual(['COMPLETED', 'COMPLETED'])
    expect((await pharmacy.scripts())[0]).toMatchObject({ cents: 990 })
  })

  it('that leaves a pharmacy locked by a paused or lost worker does not hold up other pharmacies', async () => {
    const [pharmacy, other] = [await server.pharmacy(), await server.pharmacy()]
    const uuid = (await pharmacy.upload(FILES)).body.uuid
    const theirs = (await other.upload(FILES)).body.uuid
    holder = new pg.Client({ connectionString: server.ownerUrl })
    await holder.connect()
    await holder.query(`begin; select pg_advisory_xact_lock(7301, ${pharmacy.id})`)
    await load(uuid)
    expect([await stateOf(pharmacy, uuid), await stateOf(other, theirs)]).toEqual(['RECEIVED', 'COMPLETED'])
    await letGo()
    await server.passTwoHours()
    await load(uuid)
    expect(await stateOf(pharmacy, uuid)).toBe('COMPLETED')
  })

  it('that ends the connection during a load is a setback too', async () => {
    const pharmacy = await server.pharmacy()
    const { uuid } = (await pharmacy.upload(FILES)).body
    await holdLoads()
    const loading = load(uuid)
    const waiting = sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ilike '%patient_measure%'`
    await expect.poll(async () => (await waiting.execute(server.owner)).rows, { timeout: 30_000 }).not.toEqual([])
    const { rows } = await waiting.execute(server.owner)
    for (const { pid } of rows) await sql`select pg_terminate_backend(${pid}::int)`.execute(server.owner)
    await loading
    expect(await pharmacy.status(uuid)).toMatchObject({
      etl_state: 'RECEIVED',
      notes: expect.stringContaining('by itself'),
    })
    await letGo()
    await server.passTwoHours()
    await load(uuid)
    expect(await stateOf(pharmacy, uuid)).toBe('COMPLETED')
  })

  it('that keeps a key from the worker is not the fault of the data', async () => {
    const pharmacy = await server.pharmacy()
    const { uuid } = (await pharmacy.upload(FILES)).body
    const away = () => Promise.reject(new KeysAway('The file of the keys cannot be read.'))
    const { keys } = server.services
    await loadUpload.run({ uuid }, { ...server.services, keys: { ...keys, sealer: away, writing: away } })
    expect(await pharmacy.status(uuid)).toMatchObject({
      etl_state: 'RECEIVED',
      notes: expect.stringContaining('The server lacked a key'),
    })
    await server.passTwoHours()
    await load(uuid)
    expect(await stateOf(pharmacy, uuid)).toBe('COMPLETED')
  })

  it('that removes the uploads folder does not count as missing files', async () => {
    const pharmacy = await server.pharmacy()
    const { uuid } = (await pharmacy.upload(FILES)).body
    const folder = join(resolve(server.services.env.DATA_DIR), 'uploads')
    await rename(folder, `${folder}-away`)
    await load(uuid)
    expect(await pharmacy.status(uuid)).toMatchObject({
      etl_state: 'RECEIVED',
      notes: expect.stringContaining('could not reach the place where it keeps uploads'),
    })
    // On an unmounted disk the file would end up where nobody finds it once the disk is back.
    expect(await pharmacy.upload({ ...FILES, patients: '' })).toMatchObject({
      status: 503,
      body: {
        code: 'unavailable',
        message: expect.stringContaining('The place where uploads are kept does not answer.'),
      },
    })
    expect(existsSync(folder)).toBe(false)
    await rename(`${folder}-away`, folder)
    await server.passTwoHours()
    await load(uuid)
    expect(await stateOf(pharmacy, uuid)).toBe('COMPLETED')
  })
})

describe('a data fault', () => {
  it('still ends in ERROR at once', async () => {
    const pharmacy = await server.pharmacy()
    const { uuid } = (await pharmacy.upload({ patients: 'patient_id,star_sign\n1,Leo\n' })).body
    await load(uuid)
    expect(await pharmacy.status(uuid)).toMatchObject({
      etl_state: 'ERROR',
      notes: expect.stringContaining('star_sign'),
    })
  })

  it.each(['22003', '23514', 'XX000'])(
    'of the kind %s ends in ERROR with a note that support can see why',
    async (code) => {
      const pharmacy = await server.pharmacy()
      const { uuid } = (await pharmacy.upload(FILES)).body
      await failMerge(code)
      await load(uuid)
      await failMerge(null)
      expect(await pharmacy.status(uuid)).toMatchObject({
        etl_state: 'ERROR',
        notes: expect.stringContaining('Support can see why'),
      })
    },
  )
})

it('is distinguished from server faults by code, by message when there is no code, and by cause', () => {
  const coded = (code: string) => Object.assign(new Error('x'), { code })
  expect(['53100', 'ENOSPC', 'EDQUOT'].map((code) => setbackOf(coded(code)))).toEqual(Array(3).fill('disk_full'))
  const away = ['08006', '57P01', '57P02', '57P03', '57014', '53200', '53300', '40001', '55P03', '25P03', '58030']
  for (const code of [...away, 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
    expect([code, setbackOf(coded(code))]).toEqual([code, 'database_away'])
  expect(['EIO', 'EACCES', 'ESTALE', 'EMFILE'].map((code) => setbackOf(coded(code)))).toEqual(
    Array(4).fill('files_away'),
  )
  for (const message of ['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])
    expect(setbackOf(new Error(message))).toBe('database_away')
  expect(setbackOf(new Error('premature close', { cause: coded('53100') }))).toBe('disk_full')
  for (const error of [coded('22P02'), coded('23505'), coded('42P01'), coded('XX000'), new TypeError('bug'), 'text'])
    expect(setbackOf(error)).toBeNull()
})
