import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startUploadServer, type UploadServer } from '../../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

/** Scripts that cost this much each, half of it paid by the patient. */
const record = (prefix: string, prices: readonly string[]) => ({
  patients: 'patient_id\n1\n',
  drugs: 'drug_id,name\nA,Rosuvastatin\n',
  scripts: `script_id,dispensed_on,patient_id,drug_id,patient_price,government_amount\n${prices
    .map((price, at) => `${prefix}${at},2026-0${1 + (at % 9)}-05,1,A,${price},${price}`)
    .join('\n')}\n`,
})
const times = (count: number, price: string) => Array.from({ length: count }, () => price)

it('a file with cents for dollars is refused, and support can override it', async () => {
  const pharmacy = await server.pharmacy()
  await pharmacy.load(record('a', times(40, '3.85')))
  const before = await pharmacy.fingerprint()
  for (const wrong of ['385', '0.04']) {
    const refused = await pharmacy.load(record('b', times(30, wrong)))
    expect(refused).toMatchObject({ etl_state: 'ERROR' })
    expect(refused.notes).toContain(`that of the scripts stored for the same patients $7.70.`)
  }
  expect(await pharmacy.fingerprint()).toBe(before)
  const sent = await pharmacy.upload(record('c', times(30, '386')))
  expect((await pharmacy.settled(sent.body.uuid)).notes).toContain('scripts.csv: the middle price is $772.00, that of')
  await sql`update upload set etl_state = 'OVERRIDE' where uuid = ${sent.body.uuid}`.execute(server.owner)
  await server.recover()
  expect(await pharmacy.settled(sent.body.uuid)).toMatchObject({ etl_state: 'COMPLETED' })
})

it('dear medicines, few scripts and files without prices are loaded', async () => {
  const pharmacy = await server.pharmacy()
  await pharmacy.load(record('a', times(40, '3.85')))
  const dear = [...times(14, '3.85'), ...times(16, '73.14')]
  for (const rows of [
    dear,
    times(29, '385'),
    times(40, ''),
    times(40, '0'),
    [...times(29, '385'), ...times(30, '-385')],
  ])
    expect(await pharmacy.load(record(`b${rows.length}${rows.at(-1)}`, rows))).toMatchObject({ etl_state: 'COMPLETED' })
  // With as few stored, nobody knows the scale.
  const other = await server.pharmacy()
  await other.load(record('a', times(29, '3.85')))
  expect(await other.load(record('b', times(40, '385')))).toMatchObject({ etl_state: 'COMPLETED' })
})
