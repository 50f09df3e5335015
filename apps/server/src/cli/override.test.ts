import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startUploadServer, type UploadServer } from '../../test/upload.ts'
import { overrideUpload } from '../features/upload/override.queries.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

/** Runs the command as support does at a terminal. */
function override(...words: string[]): Promise<{ code: number; said: string }> {
  const env = { ...process.env, DATABASE_URL: server.ownerUrl }
  const path = fileURLToPath(new URL('override.ts', import.meta.url))
  return new Promise((done) => {
    const child = execFile(process.execPath, [path, ...words], { env }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, said: stdout + stderr }),
    )
  })
}
const forced = (uuid: string, ...more: string[]) =>
  override(uuid, '--by', 'Kim of support', '--reason', 'The pharmacy closed half its record on purpose', ...more)

/** Only the act, without a separate process. */
const direct = (uuid: string) =>
  server.services.pools.system.transaction().execute((tx) => overrideUpload(tx, { uuid, by: 'Kim', reason: 'test' }))

const HEADER = 'script_id,dispensed_on,patient_id,drug_id'
const scripts = (...ids: string[]) => `${[HEADER, ...ids.map((id) => `${id},2026-01-10,1,A`)].join('\n')}\n`
const BASE = { patients: 'patient_id\n1\n', drugs: 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n' }
const RANGE = { initial_upload: 'true', from: '2026-01-01', to: '2026-12-31' }

/** A pharmacy whose second initial upload was refused, because it holds less than half of the first. */
async function refused() {
  const pharmacy = await server.pharmacy()
  await pharmacy.load({ ...BASE, scripts: scripts('a', 'b', 'c', 'd') }, RANGE)
  const { uuid } = (await pharmacy.upload({ scripts: scripts('a') }, RANGE)).body
  expect(await pharmacy.settled(uuid)).toMatchObject({
    etl_state: 'ERROR',
    notes: expect.stringContaining('less than half'),
  })
  return { pharmacy, uuid }
}
const audited = async (uuid: string) =>
  (
    await sql<{ action: string; company_id: number; detail: object }>`
    select action, company_id, detail from audit where object = ${uuid}`.execute(server.owner)
  ).rows

/** Checks the queue as a worker does every half minute, while the command waits. */
async function sweeping<T>(work: Promise<T>): Promise<T> {
  const sweep = setInterval(() => void server.recover(), 200)
  return work.finally(() => clearInterval(sweep))
}

describe('npm run override', () => {
  it('loads an upload the row-count check refused, reports the result, and writes to the company’s log', async () => {
    const { pharmacy, uuid } = await refused()
    const { code, said } = await sweeping(forced(uuid))
    expect([code, said]).toEqual([0, expect.stringContaining('COMPLETED')])
    expect((await pharmacy.scripts()).map((row) => row.source_id)).toEqual(['a'])
    const place = await server.owner
      .selectFrom('location')
      .select('company_id')
      .where('id', '=', pharmacy.id)
      .executeTakeFirstOrThrow()
    expect(await audited(uuid)).toEqual([
      {
        action: 'etl.override',
        company_id: place.company_id,
        detail: {
          by: 'Kim of support',
          reason: 'The pharmacy closed half its record on purpose',
          was: 'ERROR',
          location: pharmacy.id,
        },
      },
    ])
  })

  it('loads an upload that waits after a setback at once', async () => {
    const { pharmacy, uuid } = await refused()
    await sql`update upload set etl_state = 'RECEIVED', setbacks = 9, retry_at = now() + interval '1 hour' where uuid = ${uuid}`.execute(
      server.owner,
    )
    expect((await sweeping(forced(uuid))).code).toBe(0)
    expect(await pharmacy.status(uuid)).toMatchObject({ etl_state: 'COMPLETED' })
  })

  it('can return without waiting for the load; the state is OVERRIDE until it begins', async () => {
    const { pharmacy, uuid } = await refused()
    expect(await forced(uuid, '--no-wait')).toMatchObject({ code: 0, said: expect.stringContaining('OVERRIDE') })
    expect(await pharmacy.status(uuid)).toMatchObject({ etl_state: 'OVERRIDE' })
  })

  it('does not load other faulty data, and says so', async () => {
    const pharmacy = await server.pharmacy()
    const { uuid } = (await pharmacy.upload({ ...BASE, scripts: 'script_id,star_sign\na,Leo\n' })).body
    await pharmacy.settled(uuid)
    const { code, said } = await sweeping(forced(uuid))
    expect([code, said]).toEqual([1, expect.stringContaining('star_sign')])
  })

  it.each([
    ['COMPLETED', 'was loaded already'],
    ['PROCESSING', 'is being loaded'],
    ['OVERRIDE', 'is forced already'],
    ['REQUESTED', 'have not arrived'],
    ['NOT RECEIVED', 'have not arrived'],
  ])('refuses an upload in %s and changes nothing', async (state, sentence) => {
    const pharmacy = await server.pharmacy()
    const uuid = crypto.randomUUID()
    await sql`insert into upload (uuid, location_id, etl_state, data_source, lease_until)
      values (${uuid}, ${pharmacy.id}, ${state}, 'canonical', now() + interval '1 hour')`.execute(server.owner)
    await expect(direct(uuid)).rejects.toThrow(sentence)
    expect(await audited(uuid)).toEqual([])
    await sql`delete from upload where uuid = ${uuid}`.execute(server.owner)
  })

  it('refuses an upload sent again since, an unknown upload, and a request without name or reason', async () => {
    const { pharmacy, uuid } = await refused()
    await sql`update upload set initial_upload = initial_upload, etl_state = 'COMPLETED', content_hash = (select content_hash from upload where uuid = ${uuid})
      where id = (select min(id) from upload where location_id = ${pharmacy.id})`.execute(server.owner)
    expect(await forced(uuid)).toMatchObject({ code: 2, said: expect.stringContaining('sent again') })
    await expect(direct(crypto.randomUUID())).rejects.toThrow('There is no upload')
    expect((await forced('nonsense')).said).toContain('There is no upload')
    expect((await override(uuid, '--by', 'Kim')).said).toContain('Say who asks and why')
    expect(await audited(uuid)).toEqual([])
  })

  it('lists waiting and failed uploads when none is named', async () => {
    const { uuid } = await refused()
    const { code, said } = await override()
    expect(code).toBe(0)
    expect(said).toMatch(new RegExp(`${uuid} +ERROR +Pharmacy \\d+ of Testing Pharmacies\n.*less than half`))
  })
})
