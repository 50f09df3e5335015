import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../../test/people.ts'
import { entriesFile, entryRow, MORPHINE, productsFile } from '../../../../test/register.ts'
import { startUploadServer, type UploadServer } from '../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

it('a reversal of what closed, signed or put back an entry opens it again, and a reversal of that closes it', async () => {
  const { id, load } = await server.pharmacy()
  const openItems = async () => {
    const [counts] = await asOwner(
      server,
      'select owing_scripts, partial_supplies, countersigns, destructions from s8_pharmacy where location_id = $1',
      [id],
    )
    return Object.values(counts!)
  }
  const settled = [
    entryRow(1, 'opening', { quantity_in: '100' }),
    entryRow(2, 'owing', { quantity_out: '5' }),
    entryRow(3, 'supply', { quantity_out: '10', intern: '1', pharmacist: 'L. White' }),
    entryRow(4, 'destruction', { quantity_out: '2' }),
    entryRow(5, 'partial', { quantity_out: '10', prescribed: '10', reference: 'R1' }),
    entryRow(6, 'owing_closed', { refers_to: '2' }),
    entryRow(7, 'countersign', { refers_to: '3', pharmacist: 'M. Dlamini' }),
    entryRow(8, 'destroyed', { refers_to: '4', second_signer: 'M. Dlamini' }),
    entryRow(9, 'reversal', { refers_to: '5', quantity_in: '10', note: 'not collected' }),
  ]
  await load({ s8_products: productsFile([MORPHINE]), s8_transactions: entriesFile(settled) })
  expect(await openItems()).toEqual([0, 1, 0, 0])
  const undone = [6, 7, 8, 9].map((number) =>
    entryRow(number + 4, 'reversal', { refers_to: String(number), note: 'wrong entry' }),
  )
  await load({ s8_transactions: entriesFile(undone) })
  expect(await openItems()).toEqual([1, 0, 1, 1])
  const again = [10, 11, 12, 13].map((number) =>
    entryRow(number + 4, 'reversal', { refers_to: String(number), note: 'it was right after all' }),
  )
  await load({ s8_transactions: entriesFile(again) })
  expect(await openItems()).toEqual([0, 1, 0, 0])
})
