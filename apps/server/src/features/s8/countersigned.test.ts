import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, makeLogin, signIn } from '../../../test/people.ts'
import { entriesFile, entryRow, MORPHINE, productsFile } from '../../../test/register.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

it('only another person, who is no intern, countersigns: nobody else is named beside an entry', async () => {
  const pharmacy = await server.pharmacy()
  const supply = (number: number, more: object = {}) =>
    entryRow(number, 'supply', { quantity_out: '1', intern: '1', pharmacist: 'L. White', ...more })
  const sign = (number: number, of: number, pharmacist: string, intern: '0' | '1') =>
    entryRow(number, 'countersign', { refers_to: String(of), pharmacist, intern })
  await pharmacy.load({
    s8_products: productsFile([MORPHINE]),
    s8_transactions: entriesFile([
      entryRow(1, 'opening', { quantity_in: '100' }),
      supply(2, { second_signer: 'l. white ' }),
      supply(3),
      supply(4),
      supply(5, { second_signer: 'M. Dlamini' }),
      sign(6, 3, 'Another Intern', '1'),
      sign(7, 4, 'Another Intern', '1'),
      sign(8, 4, 'M. Dlamini', '0'),
    ]),
  })
  const [found] = await asOwner<{ uuid: string }>(server, 'select uuid from location where id = $1', [pharmacy.id])
  const tab = await signIn(server, await makeLogin(server, pharmacy.companyId, { flags: ['ecdr'] }))
  const list = async (filter: object = {}) => {
    const { path } = contract.s8.drugRegister
    const days = { start_date: '2026-11-01', end_date: '2026-11-01', sort_order: 'asc' }
    const asked = { ...days, sort_field: 'transaction_product_id', name: 'Morphine', ...filter }
    const reply = await server.call<{ results: Record<string, unknown>[] }>(
      path.replace('{location_uuid}', found!.uuid),
      asked,
      tab.bearer,
    )
    return reply.body.results
      .filter((row) => row.entry_type === 'supply')
      .map((row) => [row.transaction_product_id, row.second_signer, row.waits_for_countersign])
  }
  const signed = [
    [4, 'M. Dlamini', false],
    [5, 'M. Dlamini', false],
  ]
  expect(await list()).toEqual([[2, null, true], [3, null, true], ...signed])
  expect(await list({ countersigned: true })).toEqual(signed)
})
