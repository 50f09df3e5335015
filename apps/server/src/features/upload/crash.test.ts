import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'
import { inScope } from '../../db/scope.ts'
import { claimUpload, finishUpload, putBack, renewLease } from './claim.queries.ts'
import { loadUpload } from './upload.jobs.ts'

const KILLS = DEEP ? 20 : 3
const ROWS = 20_000

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer({ work: false })
})
afterAll(() => server.close())

const PATIENTS = 'patient_id,sex,date_of_birth\n1,F,1950-02-03\n2,M,1961-12-31\n'
const DRUGS = 'drug_id,name,atc,pack_size\nA,Rosuvastatin 10 mg tablet,C10AA07,30\n'
function scripts(prefix: string, count: number): string {
  const rows = Array.from({ length: count }, (_, at) => {
    const day = new Date(Date.UTC(2024, 0, 1 + (at % 900))).toISOString().slice(0, 10)
    return `${prefix}${at},${day},${1 + (at % 2)},A,7.70`
  })
  return `script_id,dispensed_on,patient_id,drug_id,patient_price\n${rows.join('\n')}\n`
}

const states = async (pharmacy: TestPharmacy): Promise<string[]> => {
  const { rows } = await sql<{ etl_state: string }>`
    select etl_state from upload where location_id = ${pharmacy.id} order by created_at`.execute(server.owner)
  return rows.map((row) => row.etl_state)
}
/** Lets the grace period after a claim and the wait after a setback pass. */
const timePasses = () =>
  sql`update upload set etl_start_time = etl_start_time - interval '1 minute', retry_at = null`.execute(server.owner)

it('a worker told to stop finishes the load in progress, and leaves waiting ones to others', async () => {
  const pharmacy = await server.pharmacy()
  const sent: Record<string, string>[] = [
    { patients: PATIENTS, drugs: DRUGS },
    { scripts: scripts('s', 10) },
    { scripts: scripts('t', 10) },
  ]
  const uuids: string[] = []
  for (const files of sent) uuids.push((await pharmacy.upload(files)).body.uuid)
  const told = new AbortController()
  const now = () => {
    told.abort()
    return server.services.now()
  }
  await loadUpload.run({ uuid: uuids[0]! }, { ...server.services, now, stopping: told.signal })
  expect(await states(pharmacy)).toEqual(['COMPLETED', 'RECEIVED', 'RECEIVED'])
  await loadUpload.run({ uuid: uuids[1]! }, server.services)
  expect(await states(pharmacy)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED'])
})

describe('kill -9 of a worker', () => {
  it('at any moment loses nothing and loads nothing twice', { timeout: DEEP ? 600_000 : 120_000 }, async () => {
    const pharmacy = await server.pharmacy()
    const uuids = [(await pharmacy.upload({ patients: PATIENTS, drugs: DRUGS })).body.uuid]
    let midway = 0
    for (let kill = 0; kill < KILLS; kill++) {
      uuids.push((await pharmacy.upload({ scripts: scripts(`k${kill}-`, ROWS) })).body.uuid)
      const worker = await server.startWorker()
      await expect.poll(() => states(pharmacy), { timeout: 60_000, interval: 20 }).toContain('PROCESSING')
      await new Promise((done) => setTimeout(done, (kill * 310) % 1500))
      worker.kill('SIGKILL')
      await once(worker, 'exit')
      if ((await states(pharmacy)).includes('PROCESSING')) midway++
      const { rows } = await sql<{
        n: number
      }>`select count(*)::int as n from script where location_id = ${pharmacy.id}`.execute(server.owner)
      expect((rows[0]?.n ?? 0) % ROWS).toBe(0)
      await timePasses()
      const recovered = async () => {
        await server.recover()
        return states(pharmacy)
      }
      await expect.poll(recovered, { timeout: 60_000 }).not.toContain('PROCESSING')
      await timePasses()
    }
    expect(midway).toBeGreaterThan(0)
    const last = await server.startWorker()
    for (const uuid of uuids) expect(await pharmacy.settled(uuid)).toMatchObject({ etl_state: 'COMPLETED' })
    last.kill('SIGKILL')
    const { rows } = await sql<{ n: number; ids: number; cents: number }>`
      select count(*)::int as n, count(distinct source_id)::int as ids, sum(patient_price_cents)::int as cents
      from script where location_id = ${pharmacy.id}`.execute(server.owner)
    const all = KILLS * ROWS
    expect(rows).toEqual([{ n: all, ids: all, cents: all * 770 }])
  })
})

describe('a claim', () => {
  it('returns to the queue when its lease runs out, every time', async () => {
    const pharmacy = await server.pharmacy()
    const { body } = await pharmacy.upload({ patients: PATIENTS })
    for (const attempts of [1, 3, 30]) {
      await sql`update upload set etl_state = 'PROCESSING', attempts = ${attempts}, etl_start_time = now(), lease_until = now() - interval '1 second'
          where uuid = ${body.uuid}`.execute(server.owner)
      await server.recover()
      expect(await pharmacy.status(body.uuid)).toMatchObject({
        etl_state: 'RECEIVED',
        notes: expect.stringContaining('nothing of it is lost'),
      })
    }
  })

  it('with a live worker is left alone', async () => {
    const pharmacy = await server.pharmacy()
    const { body } = await pharmacy.upload({ patients: PATIENTS })
    await sql`update upload set etl_state = 'PROCESSING', etl_start_time = now(), lease_until = now() + interval '1 minute'
      where uuid = ${body.uuid}`.execute(server.owner)
    await server.recover()
    expect(await pharmacy.status(body.uuid)).toMatchObject({ etl_state: 'PROCESSING' })
  })

  it('is unique per pharmacy: the database refuses a second', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.upload({ patients: PATIENTS })
    await pharmacy.upload({ drugs: DRUGS })
    const both = sql`update upload set etl_state = 'PROCESSING' where location_id = ${pharmacy.id}`.execute(
      server.owner,
    )
    await expect(both).rejects.toMatchObject({ code: '23505' })
  })

  it('takes the oldest waiting upload, and none while another of the pharmacy loads', async () => {
    const pharmacy = await server.pharmacy()
    const first = await pharmacy.upload({ patients: PATIENTS })
    await pharmacy.upload({ drugs: DRUGS })
    const { system } = server.services.pools
    expect(await claimUpload(system, pharmacy.id)).toMatchObject({ uuid: first.body.uuid, attempt: 1 })
    expect(await claimUpload(system, pharmacy.id)).toBeNull()
  })

  it('taken over by another worker can no longer end the upload', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.upload({ patients: PATIENTS })
    const { system, app } = server.services.pools
    const claim = await claimUpload(system, pharmacy.id)
    if (!claim) throw new Error('nothing was claimed')
    await sql`update upload set attempts = attempts + 1 where id = ${claim.id}`.execute(server.owner)
    const outcome = { state: 'COMPLETED' as const, notes: '', counts: new Map(), faults: [] }
    const scope = { companyId: claim.companyId, locationIds: [claim.locationId] }
    expect(await inScope(app, scope, (tx) => finishUpload(tx, claim, outcome))).toBe(false)
    expect(await renewLease(system, claim)).toBe(false)
    expect(await putBack(system, claim, 'disk_full')).toBe(false)
    expect(await pharmacy.status(claim.uuid)).toMatchObject({ etl_state: 'PROCESSING' })
    const current = { ...claim, attempt: claim.attempt + 1 }
    expect(await renewLease(system, current)).toBe(true)
    expect(await inScope(app, scope, (tx) => finishUpload(tx, current, outcome))).toBe(true)
  })

  it('that was given back can no longer end the upload, nor give it back again', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.upload({ patients: PATIENTS })
    const { system, app } = server.services.pools
    const claim = (await claimUpload(system, pharmacy.id))!
    expect(await putBack(system, claim, 'disk_full')).toBe(true)
    const back = await pharmacy.status(claim.uuid)
    expect(back).toMatchObject({ etl_state: 'RECEIVED' })
    expect(await putBack(system, claim, 'disk_full')).toBe(false)
    expect(await renewLease(system, claim)).toBe(false)
    const outcome = { state: 'ERROR' as const, notes: 'Too late', counts: new Map(), faults: [] }
    const scope = { companyId: claim.companyId, locationIds: [claim.locationId] }
    expect(await inScope(app, scope, (tx) => finishUpload(tx, claim, outcome))).toBe(false)
    expect(await pharmacy.status(claim.uuid)).toEqual(back)
  })
})
