import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressesOf } from '../../../test/field/opened.ts'
import { asOwner, dump } from '../../../test/people.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'
import { noJobLeft } from '../../../test/waiting.ts'
import { readEnv } from '../../env.ts'
import { inScope } from '../scope.ts'
import { keyFile, readMasterKeys } from './key-file.ts'
import { openKeys } from './key-ring.ts'
import { columns, keyStatus, retire, rotate } from './rotation.ts'
import { sweepFields } from './sweep.ts'

let server: UploadServer
let pharmacy: TestPharmacy
beforeAll(async () => {
  server = await startUploadServer()
  pharmacy = await server.pharmacy()
})
afterAll(() => server.close())

const env = () => server.services.env
const pools = () => server.services.pools
const streetOf = (at: number) => `${at} Canary St`
const file = (count: number) => {
  const rows = Array.from({ length: count }, (_, at) => `${at + 1},${streetOf(at + 1)},3350`)
  return { patients: `patient_id,address,postcode\n${rows.join('\n')}\n` }
}
const expected = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [String(at + 1), streetOf(at + 1)]))
const patientKeys = async () => {
  const rows = await asOwner<{ id: number }>(
    server,
    `select distinct ('x' || encode(substring(address_sealed from 2 for 4), 'hex'))::bit(32)::int as id
     from patient where address_sealed is not null order by 1`,
  )
  return rows.map(({ id }) => id)
}
/** Backdates the new key by a minute: it now seals for any process that rereads the list of keys. */
const ripen = async (): Promise<void> => {
  await asOwner(server, `update data_key set writes_from = now() - interval '1 second' where writes_from > now()`)
}

describe('addresses of an upload', () => {
  it('are in no table in plain text, and open again', async () => {
    const done = await pharmacy.load(file(1200))
    expect(done.etl_state).toBe('COMPLETED')
    expect(await dump(server)).not.toContain('Canary')
    expect(await addressesOf(server, pharmacy.id)).toEqual(expected(1200))
  })

  it('are not written again by an unchanged upload', async () => {
    await noJobLeft(server, 'after-upload')
    const before = await asOwner(server, 'select id, xmin::text, updated_at from patient order by id')
    // An identical file would not be loaded again.
    await pharmacy.load({ patients: `${file(1200).patients}\n` })
    expect(await asOwner(server, 'select id, xmin::text, updated_at from patient order by id')).toEqual(before)
  })

  it('are not stored with a row that is refused because of one', async () => {
    const rows = Array.from(
      { length: 150 },
      (_, at) => `${at + 1},${at === 3 ? `9 Canary St ${'x'.repeat(250)}` : '1 Main St'}`,
    )
    const done = await (await server.pharmacy()).load({ patients: `patient_id,address\n${rows.join('\n')}\n` })
    expect(done).toMatchObject({ etl_state: 'COMPLETED', faults: [{ line: 5, column: 'address', value: '' }] })
    expect(await dump(server)).not.toContain('Canary')
  })

  it('disappear when the pharmacy empties them, and replace plain ones stored by an older version', async () => {
    const other = await server.pharmacy()
    await other.load({ patients: 'patient_id,address\n1,8 Old Rd\n2,9 Old Rd\n3,\n' })
    await asOwner(server, `update patient set address = '7 Plain Rd', address_sealed = null where location_id = $1`, [
      other.id,
    ])
    await other.load({ patients: 'patient_id,address\n1,8 New Rd\n2,\n' })
    expect(await addressesOf(server, other.id)).toEqual({ 1: '8 New Rd', 2: null, 3: 'PLAIN 7 Plain Rd' })
    // Beside a sealed one, an older version wrote it later.
    await asOwner(server, `update patient set address = '6 Plain Rd' where location_id = $1 and source_id = '1'`, [
      other.id,
    ])
    await asOwner(server, 'update data_key set swept_at = null, swept_location = 0')
    await sweepFields(pools(), server.services.keys)
    expect(await addressesOf(server, other.id)).toEqual({ 1: '6 Plain Rd', 2: null, 3: '7 Plain Rd' })
  })
})

describe('the keys of the installation', () => {
  it('are in a file of their own that nobody else may read', () => {
    expect(statSync(keyFile(env())).mode & 0o777).toBe(0o600)
    expect(readFileSync(keyFile(env()), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  })

  it('are reported missing at the start, with a sentence on what to put back', async () => {
    const [id] = (await keyStatus(env(), pools().system)).inHand
    const elsewhere = readEnv({ DATA_DIR: `${env().DATA_DIR}/elsewhere` })
    const text = `sealed with the key ${id}; ${keyFile(elsewhere)} is missing or empty. Put back the keys that belong to this database`
    await expect(openKeys(elsewhere, pools().system)).rejects.toThrow(text)
    const wrong = readEnv({ KEYS: 'ab'.repeat(32) })
    await expect(openKeys(wrong, pools().system)).rejects.toThrow(`sealed with the key ${id}; KEYS has `)
    // An installation that sets SECRET later still has its earlier file.
    const later = readEnv({ SECRET: 's'.repeat(40), DATA_DIR: env().DATA_DIR })
    await expect(openKeys(later, pools().system)).resolves.toBeDefined()
    const garbled = readEnv({ KEYS: `${'ab'.repeat(32)} ${'xy'.repeat(32)}` })
    await expect(openKeys(garbled, pools().system)).rejects.toThrow(
      'The setting KEYS holds something that is no key at place 2.',
    )
  })

  it('are rotated while every read succeeds, through uploads and a killed process', { timeout: 120_000 }, async () => {
    const [old] = await patientKeys()
    let reads = 0
    const failed: unknown[] = []
    let stop = false
    const reading = (async () => {
      while (!stop) {
        const shown = await addressesOf(server, pharmacy.id).catch((error: unknown) => failed.push(error) && null)
        for (const [id, street] of Object.entries(shown ?? {}))
          if (street !== streetOf(Number(id))) failed.push(`${id}: ${street}`)
        reads++
      }
    })()
    await rotate(env(), pools().system)
    await expect(rotate(env(), pools().system)).rejects.toThrow('A rotation is under way')
    await expect(retire(env(), pools(), server.services.keys)).rejects.toThrow(
      'Not everything is sealed with the new key yet',
    )
    expect((await keyStatus(env(), pools().system)).inHand).toHaveLength(2)
    expect(await patientKeys()).toEqual([old])
    await ripen()
    await killedHalfWay()
    const left = (
      await server.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1', headers: { host: 'localhost' } })
    ).body
    expect(left).toMatch(/pillar_field_keys_old\{column="patient.address"\} 1\n/)
    expect(left).toMatch(/pillar_field_pharmacies_left\{column="patient.address"\} [1-9]/)
    expect((await patientKeys()).length).toBe(2)
    expect((await columns(pools().system)).find(({ column }) => column === 'patient.address')?.through).toBe(false)
    await expect(retire(env(), pools(), server.services.keys, 0)).rejects.toThrow(
      'Not everything is sealed with the new key yet',
    )
    // Meanwhile a process that does not know the new key yet seals with the old one.
    await pharmacy.load(file(1250))
    const keys = await openKeys(env(), pools().system)
    await Promise.all([sweepFields(pools(), keys), sweepFields(pools(), keys)])
    await expect(retire(env(), pools(), keys)).rejects.toThrow('sealed for less than a day')
    await retire(env(), pools(), keys, 0)
    stop = true
    await reading
    expect(failed).toEqual([])
    expect(reads).toBeGreaterThan(5)
    expect(await patientKeys()).not.toContain(old)
    expect(await patientKeys()).toHaveLength(1)
    expect(await addressesOf(server, pharmacy.id)).toEqual(expected(1250))
    const after = await keyStatus(env(), pools().system)
    expect(after.inHand).toEqual(after.wrapping)
    expect(after.inHand).toHaveLength(1)
    expect(after.columns.map(({ keys, through }) => [keys, through])).toEqual(after.columns.map(() => [1, true]))
  })

  it('are replaced around rows that an upload holds, without a deadlock', async () => {
    await rotate(env(), pools().system)
    await ripen()
    const keys = await openKeys(env(), pools().system)
    const touch = (id: string) =>
      sql`update patient set updated_at = updated_at where location_id = ${pharmacy.id} and source_id = ${id}`
    let sweeping: Promise<unknown> | undefined
    const scope = { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }
    await inScope(pools().app, scope, async (tx) => {
      await touch('700').execute(tx)
      sweeping = sweepFields(pools(), keys)
      await expect.poll(async () => (await patientKeys()).length).toBe(2)
      // By now it has reached the rows around 700.
      await new Promise((done) => setTimeout(done, 300))
      await touch('600').execute(tx)
      expect((await columns(pools().system)).find(({ column }) => column === 'patient.address')?.through).toBe(false)
    })
    await sweeping
    expect(await patientKeys()).toHaveLength(1)
    await retire(env(), pools(), keys, 0)
    expect(await addressesOf(server, pharmacy.id)).toEqual(expected(1250))
  })

  it('given by KEYS are rotated by adding one, and SECRET alone by setting KEYS', async () => {
    const second = 'a1'.repeat(32)
    // Not the folder of a Pillar that was started here.
    const given = (keys: Record<string, string>) => readEnv({ DATA_DIR: join(env().DATA_DIR, 'none'), ...keys })
    const [before] = (await readMasterKeys(env())).keys
    const first = before!.key.export().toString('hex')
    await expect(rotate(given({ KEYS: first }), pools().system)).rejects.toThrow('KEYS has no new key')
    await expect(rotate(given({ SECRET: 's'.repeat(40) }), pools().system)).rejects.toThrow('Set KEYS to a new key')
    const both = given({ KEYS: `${first},${second}` })
    await rotate(both, pools().system)
    await ripen()
    const ready = await openKeys(both, pools().system)
    await sweepFields(pools(), ready)
    expect(await retire(both, pools(), ready, 0)).toEqual([before!.id])
    await expect(openKeys(given({ KEYS: first }), pools().system)).rejects.toThrow('Put back the keys')
    const alone = await openKeys(given({ KEYS: second }), pools().system)
    expect(
      Object.keys(await addressesOf({ ...server, services: { ...server.services, keys: alone } }, pharmacy.id)),
    ).toHaveLength(1250)
  })
})

/** Kills a resealing process once it has sealed the pharmacy's first row. */
async function killedHalfWay(): Promise<void> {
  // Slow enough to be interrupted.
  await asOwner(
    server,
    `create function wait_a_little() returns trigger language plpgsql as $$ begin perform pg_sleep(0.001); return new; end $$;
     create trigger wait_a_little before update on patient for each row execute function wait_a_little()`,
  )
  const script = fileURLToPath(new URL('../../../test/field/sealing-worker.ts', import.meta.url))
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, DATABASE_URL: server.ownerUrl, DATA_DIR: env().DATA_DIR },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  while ((await patientKeys()).length < 2) await new Promise((done) => setTimeout(done, 20))
  child.kill('SIGKILL')
  await once(child, 'exit')
  await asOwner(server, 'drop trigger wait_a_little on patient; drop function wait_a_little')
}
