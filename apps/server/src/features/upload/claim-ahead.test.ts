import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'
import { loadUpload } from './upload.jobs.ts'

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

/** An upload that a worker claimed while the database's clock was two days ahead. */
async function claimedAhead(): Promise<{ pharmacy: TestPharmacy; uuid: string; state: () => Promise<string | null> }> {
  const pharmacy = await server.pharmacy()
  const { uuid } = (await pharmacy.upload(FILES)).body
  await sql`
    update upload set etl_state = 'PROCESSING', attempts = attempts + 1, etl_start_time = now() + interval '2 days',
      lease_until = now() + interval '2 days 2 minutes' where uuid = ${uuid}::uuid`.execute(server.owner)
  return { pharmacy, uuid, state: async () => (await pharmacy.status(uuid)).etl_state }
}

describe('a claim from when the database’s clock was two days ahead, before it was set back', () => {
  it('is taken back if its worker is gone, so that the pharmacy does not wait for two days', async () => {
    const { uuid, state } = await claimedAhead()
    await server.recover()
    expect(await state()).toBe('RECEIVED')
    await server.passTwoHours()
    await loadUpload.run({ uuid }, server.services)
    expect(await state()).toBe('COMPLETED')
  })

  it('is left to a worker that is loading it', async () => {
    const { pharmacy, state } = await claimedAhead()
    const worker = new pg.Client({ connectionString: server.ownerUrl })
    await worker.connect()
    await worker.query(`begin; select pg_advisory_xact_lock(7301, ${pharmacy.id})`)
    await server.recover()
    expect(await state()).toBe('PROCESSING')
    await worker.end()
  })
})

describe('uploads received while the database’s clock was two days ahead', () => {
  const priced = (price: string) => ({ ...FILES, scripts: FILES.scripts.replace('7.70', price) })
  const priceAt = async (pharmacy: TestPharmacy) => {
    const { rows } = await sql<{ cents: number }>`
      select patient_price_cents::int as cents from script where location_id = ${pharmacy.id}`.execute(server.owner)
    return rows.map(({ cents }) => cents)
  }
  const receivedAhead = (uuid: string) =>
    sql`update upload set created_at = created_at + interval '2 days', location_upload_time = location_upload_time + interval '2 days'
      where uuid = ${uuid}::uuid`.execute(server.owner)
  const loadAll = async (uuids: string[]) => {
    for (const uuid of uuids) await loadUpload.run({ uuid }, server.services)
  }

  it('are loaded before those that follow it is set back, whose corrections stand', async () => {
    const pharmacy = await server.pharmacy()
    const first = (await pharmacy.upload(FILES)).body.uuid
    await receivedAhead(first)
    const corrected = (await pharmacy.upload(priced('9.90'))).body.uuid
    await loadAll([first, corrected])
    expect(await priceAt(pharmacy)).toEqual([990])
  })

  it('are overtaken by them: the same content sent once more undoes a correction', async () => {
    const pharmacy = await server.pharmacy()
    const first = (await pharmacy.upload(FILES)).body.uuid
    await receivedAhead(first)
    await loadAll([first])
    const corrected = (await pharmacy.upload(priced('9.90'))).body.uuid
    await loadAll([corrected])
    const again = (await pharmacy.upload(FILES)).body.uuid
    expect(again).not.toBe(first)
    await loadAll([again])
    expect(await priceAt(pharmacy)).toEqual([770])
  })
})

describe('an upload completed while the database’s clock was two days ahead, after it was set back', () => {
  const DAYS = Array.from({ length: 10 }, (_, at) => `a${at},2026-01-${10 + at},1,A,7.70`)
  const scripts = (count: number) =>
    `script_id,dispensed_on,patient_id,drug_id,patient_price\n${DAYS.slice(0, count).join('\n')}\n`
  const PEOPLE = 'patient_id\n1\n2\n3\n4\n'
  const load = async (pharmacy: TestPharmacy, files: Record<string, string>, fields = {}) => {
    const { uuid } = (await pharmacy.upload(files, fields)).body
    await loadUpload.run({ uuid }, server.services)
    return { uuid, status: await pharmacy.status(uuid) }
  }
  /** Its times, and those of its pharmacy, as such a clock wrote them. */
  const completedAhead = async (pharmacy: TestPharmacy, uuid: string) => {
    await sql`
      update upload set created_at = created_at + interval '2 days', location_upload_time = location_upload_time + interval '2 days',
        etl_start_time = etl_start_time + interval '2 days', etl_stop_time = etl_stop_time + interval '2 days',
        last_updated = last_updated + interval '2 days' where uuid = ${uuid}::uuid`.execute(server.owner)
    await sql`update location set last_upload_at = last_upload_at + interval '2 days' where id = ${pharmacy.id}`.execute(
      server.owner,
    )
  }

  it('is not what the next but one is compared with', async () => {
    const pharmacy = await server.pharmacy()
    const whole = { initial_upload: 'true' }
    const first = await load(pharmacy, { ...FILES, patients: 'patient_id\n1\n', scripts: scripts(4) }, whole)
    await completedAhead(pharmacy, first.uuid)
    const next = await load(pharmacy, { ...FILES, patients: PEOPLE, scripts: scripts(10) }, whole)
    expect(next.status).toMatchObject({ etl_state: 'COMPLETED' })
    const fewer = await load(pharmacy, { patients: 'patient_id\n1\n', scripts: scripts(10) }, whole)
    expect(fewer.status.notes).toContain('patients.csv has 1 rows, less than half of the 4 of the last initial upload')
  })

  it('is compared with an upload of the same days', async () => {
    const pharmacy = await server.pharmacy()
    const since = { initial_upload: 'true', from: '2026-01-01' }
    const first = await load(pharmacy, { ...FILES, patients: PEOPLE }, since)
    await completedAhead(pharmacy, first.uuid)
    const fewer = await load(pharmacy, { ...FILES, patients: 'patient_id\n1\n' }, since)
    expect(fewer.status.notes).toContain('patients.csv has 1 rows, less than half of the 4 of the last initial upload')
  })

  it('is not later than what fails after it', async () => {
    const pharmacy = await server.pharmacy()
    const first = await load(pharmacy, FILES)
    const failed = await load(pharmacy, { scripts: 'script_id\n' })
    expect(failed.status).toMatchObject({ etl_state: 'ERROR' })
    await completedAhead(pharmacy, first.uuid)
    await sql`update upload set last_updated = last_updated + interval '2 days', etl_stop_time = etl_stop_time + interval '2 days'
      where uuid = ${failed.uuid}::uuid`.execute(server.owner)
    await server.recover()
    const again = await load(pharmacy, { scripts: 'script_id\n' })
    const { rows } = await sql<{ uuid: string; after: boolean; ahead: boolean }>`
      select u.uuid, u.last_updated > l.last_upload_at as after, greatest(u.last_updated, u.etl_stop_time, u.location_upload_time) > now() as ahead
      from upload u join location l on l.id = u.location_id where l.id = ${pharmacy.id} order by u.last_updated`.execute(
      server.owner,
    )
    expect(rows).toEqual([
      { uuid: first.uuid, after: false, ahead: false },
      { uuid: failed.uuid, after: true, ahead: false },
      { uuid: again.uuid, after: true, ahead: false },
    ])
  })
})
