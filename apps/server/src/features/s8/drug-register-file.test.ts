import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { asOwner, makeLogin, type SignedIn, signIn } from '../../../test/people.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'

/** More than two lots of the cursor, and not a whole number of them. */
const ROWS = DEEP ? 1_000_000 : 10_001
vi.setConfig({ testTimeout: DEEP ? 900_000 : 60_000, hookTimeout: DEEP ? 900_000 : 60_000 })

let server: UploadServer
let pharmacy: TestPharmacy
let path: string
let tab: SignedIn

beforeAll(async () => {
  server = await startUploadServer()
  pharmacy = await server.pharmacy()
  await asOwner(
    server,
    `with entry as (
       insert into s8_entry (location_id, seq, source, number, product_id, product_name, entry_type, occurred_at, quantity_in, quantity_out,
         pharmacist, intern, received_at, upload_id, hash, party_name)
       select $1, n, 'canonical', n, 'P' || n % 50, 'Morphine ' || n % 50, 'receipt', timestamptz '2025-01-01' + n * interval '30 seconds', 1, 0,
         'A. Petrou', false, timestamptz '2026-01-01', 1, '', 'Patient ' || n
       from generate_series(1, $2::int) n returning location_id, source, number
     ) insert into s8_balance select location_id, source, number, number, 'skipped' from entry`,
    [pharmacy.id, ROWS],
  )
  await asOwner(server, 'analyze s8_entry, s8_balance')
  const [found] = await asOwner<{ uuid: string }>(server, 'select uuid from location where id = $1', [pharmacy.id])
  path = contract.s8.drugRegisterCsv.path.replace('{location_uuid}', found!.uuid)
  tab = await signIn(server, await makeLogin(server, pharmacy.companyId, { flags: ['ecdr'] }))
})
afterAll(() => server.close())

const days = { start_date: '2024-12-01', end_date: '2026-12-31' }
const numbersOf = (text: string) =>
  text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => Number(line.slice(0, line.indexOf(','))))

it('a file of a whole register contains every entry once, in order, and gives its length', async () => {
  const reply = await server.call<string>(
    path,
    { ...days, sort_field: 'transaction_product_id', sort_order: 'asc' },
    tab.bearer,
  )
  expect(reply.status).toBe(200)
  expect(Number(reply.headers['content-length'])).toBe(Buffer.byteLength(reply.body))
  const numbers = numbersOf(reply.body)
  expect(numbers.length).toBe(ROWS)
  expect(numbers.findIndex((number, at) => number !== at + 1)).toBe(-1)
  const [look] = await asOwner(
    server,
    `select detail ->> 'rows' as rows from audit where action = 's8.drugRegisterCsv' order by id desc limit 1`,
  )
  expect(look).toEqual({ rows: String(ROWS) })
})

it('a file takes longer than other answers may, and still arrives completely', async () => {
  const waited = asOwner(server, 'begin; lock table s8_balance in access exclusive mode; select pg_sleep(10); commit')
  await new Promise((done) => setTimeout(done, 300))
  const began = performance.now()
  const reply = await server.call<string>(path, { ...days, sort_order: 'desc' }, tab.bearer)
  await waited
  expect(performance.now() - began).toBeGreaterThan(9_000)
  expect([reply.status, numbersOf(reply.body).length]).toEqual([200, ROWS])
})

it('a stock register too long for one file is refused, and none of its products is left out silently', async () => {
  await asOwner(
    server,
    `insert into s8_product (location_id, source, product_id, name, unit, balance)
     select $1, 'fred', 'p' || n, 'Product ' || n, 'tablets', case when n = 1 then 5 else 0 end from generate_series(1, 10001) n`,
    [pharmacy.id],
  )
  const products = path.replace('drug-register', 'product-list')
  const file = (more: object) => server.call<string>(products, { never: true, ...more }, tab.bearer)
  const refused = await file({})
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    422,
    expect.stringContaining(
      'More than 10,000 products match, too many for one file. Please narrow the list, for example to products in stock.',
    ),
  ])
  const stocked = await file({ in_stock: true })
  expect([stocked.status, String(stocked.body)]).toEqual([200, expect.stringContaining('Product 1,')])
})
