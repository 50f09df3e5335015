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
