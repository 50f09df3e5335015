import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FILES, itemsOf, load, script, scripts, uuidOf } from '../../../../test/etl/etl.ts'
import { asOwner, fresh } from '../../../../test/people.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'
import { startUploadServer, type UploadServer } from '../../../../test/upload.ts'

const { override, faults, faultsCsv, comparison } = contract.etl

let server: UploadServer
let support: Support
/** No worker runs: uploads stay RECEIVED until a test loads them. */
beforeAll(async () => {
  server = await startUploadServer({ work: false })
  support = await makeSupport(server)
})
afterAll(() => server.close())

describe('a rejected upload', () => {
  const wrong = (rows: number) => scripts(...Array.from({ length: rows }, (_, at) => script(`=w${at}`, '=31/31/2026')))

  it('is explained row by row, in pages and as a file without formulas, with a row in the company’s log', async () => {
    const pharmacy = await server.pharmacy()
    const id = await uuidOf(server, pharmacy)
    const { uuid } = (await pharmacy.upload({ ...FILES, scripts: wrong(30) })).body
    await load(server, uuid)
    expect((await itemsOf(server, support, pharmacy))[0]).toMatchObject({ etl_state: 'ERROR', faults: 30 })
    const first = await support.ask(faults, { id, uuid, page: 1 })
    expect(first.body).toMatchObject({ total: 30, counted: 30, page_count: 2 })
    expect(first.body.faults[0]).toMatchObject({
      file_type: 'scripts',
      line: 2,
      column: 'dispensed_on',
      value: '=31/31/2026',
    })
    const second = await support.ask(faults, { id, uuid, page: 2 })
    expect(second.body.faults.at(-1)?.line).toBe(31)
    const asFile = { url: faultsCsv.path, method: 'POST', payload: { id, uuid }, headers: support.tab.bearer } as const
    const file = await server.app.inject(asFile)
    expect(file.headers['content-disposition']).toContain(`row_faults_${uuid.slice(0, 8)}.csv`)
    const lines = file.body.split('\n')
    expect(lines[0]).toBe('File,Line,Column,Value,Reason')
    expect(lines[1]).toContain("scripts.csv,2,dispensed_on,'=31/31/2026,")
    expect(lines).toHaveLength(32)
    const log = await asOwner<{ action: string; company_id: number }>(
      server,
      `select action, company_id from audit where object = $1 order by id`,
      [uuid],
    )
    const of = (action: string) => ({ action, company_id: pharmacy.companyId })
    expect(log).toEqual([of('etl.faults'), of('etl.faults'), of('etl.faultsCsv')])
    const elsewhere = await uuidOf(server, await server.pharmacy())
    expect((await support.ask(faults, { id: elsewhere, uuid })).status).toBe(404)
    expect((await support.ask(faultsCsv, { id: elsewhere, uuid })).status).toBe(404)
  })

  it('is loaded when forced with a reason, which the log keeps', async () => {
    const pharmacy = await server.pharmacy()
    const id = await uuidOf(server, pharmacy)
    const whole = { initial_upload: 'true' }
    const long = scripts(...Array.from({ length: 20 }, (_, n) => script(`s${n}`, '2026-10-01')))
    await load(server, (await pharmacy.upload({ ...FILES, scripts: long }, whole)).body.uuid)
    const { uuid } = (await pharmacy.upload(FILES, whole)).body
    await load(server, uuid)
    expect((await itemsOf(server, support, pharmacy))[0]).toMatchObject({ etl_state: 'ERROR' })
    const silent = await support.ask(override, { id, uuid, reason: ' ' })
    expect([silent.status, silent.body.message]).toEqual([422, 'Please enter a reason.'])
    const reason = fresh('Ticket')
    expect((await support.ask(override, { id, uuid, reason })).body).toEqual({ later: 0 })
    expect((await itemsOf(server, support, pharmacy))[0]).toMatchObject({ etl_state: 'OVERRIDE' })
    await load(server, uuid)
    expect((await itemsOf(server, support, pharmacy))[0]).toMatchObject({ etl_state: 'COMPLETED' })
    const log = await asOwner<{ detail: object }>(
      server,
      `select detail from audit where action = 'etl.override' and object = $1`,
      [uuid],
    )
    expect(log).toMatchObject([
      { detail: { reason, changes: [{ before: { etl_state: 'ERROR' }, after: { etl_state: 'OVERRIDE' } }] } },
    ])
    expect((await support.ask(override, { id, uuid, reason })).status).toBe(409)
  })
})

it('compares an upload with the last completed one before it', async () => {
  const pharmacy = await server.pharmacy()
  const id = await uuidOf(server, pharmacy)
  const first = (await pharmacy.upload(FILES)).body.uuid
  await load(server, first)
  const more = `${FILES.scripts}${script('s3', '2026-10-20')}`
  const second = (await pharmacy.upload({ drugs: FILES.drugs, scripts: more })).body.uuid
  await load(server, second)
  const { body } = await support.ask(comparison, { id, uuid: second })
  expect(body).toMatchObject({
    upload: { uuid: second, patients: 2, first_day: '2026-10-01', last_day: '2026-10-20', days: 20 },
    previous: { uuid: first, patients: 2, first_day: '2026-10-01', last_day: '2026-10-10', days: 10 },
    files: [
      { file_type: 'patients', rows: null, previous_rows: 2 },
      { file_type: 'drugs', rows: 1, previous_rows: 1 },
      { file_type: 'scripts', rows: 3, previous_rows: 2 },
    ],
  })
  expect((await support.ask(comparison, { id, uuid: first })).body.previous).toBeNull()
  expect(
    (await support.ask(comparison, { id: await uuidOf(server, await server.pharmacy()), uuid: first })).status,
  ).toBe(404)
})
