import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../../test/people.ts'
import { entriesFile, entryRow, MORPHINE, productsFile } from '../../../../test/register.ts'
import { startUploadServer, type UploadServer } from '../../../../test/upload.ts'
import { inScope } from '../../../db/scope.ts'
import { updatePharmacy } from '../../location/location-admin.queries.ts'
import { overdueAt } from '../s8.queries.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const PRODUCTS = productsFile([MORPHINE])

it('a pharmacy that changes its dispensing system starts a new register, whose numbers close nothing in the old one', async () => {
  const { id, load } = await server.pharmacy()
  const intern = { intern: '1', pharmacist: 'L. White' }
  const before = [
    entryRow(1, 'opening', { quantity_in: '100' }),
    entryRow(2, 'supply', { quantity_out: '10', ...intern }),
    entryRow(3, 'owing', { quantity_out: '5' }),
    entryRow(4, 'destruction', { quantity_out: '2' }),
    entryRow(5, 'partial', { quantity_out: '10', prescribed: '20', reference: 'R1' }),
    entryRow(6, 'count', { counted: '70' }),
  ]
  await load({ s8_products: PRODUCTS, s8_transactions: entriesFile(before) }, { data_source: 'fred' })
  const other = entryRow(2, 'supply', { quantity_out: '12', ...intern })
  await load({ s8_transactions: entriesFile([other]) }, { data_source: 'fred' })
  const state = async () => {
    const open = await asOwner<{ kind: string; source: string; number: number | null }>(
      server,
      `select kind, source, number::int from s8_attention where location_id = $1 and until_on is null and kind <> 'late' order by kind, source`,
      [id],
    )
    const [counts] = await asOwner(
      server,
      'select owing_scripts, partial_supplies, countersigns, destructions from s8_pharmacy where location_id = $1',
      [id],
    )
    return { open: open.map(({ kind, source, number }) => [kind, source, number]), counts }
  }
  const left = {
    open: [
      ['balance', 'fred', 6],
      ['contradiction', 'fred', 2],
      ['countersign', 'fred', 2],
    ],
    counts: { owing_scripts: 1, partial_supplies: 1, countersigns: 1, destructions: 1 },
  }
  expect(await state()).toEqual(left)

  // The new register has the same kinds of entries under the same numbers, and its own closing entries.
  const after = [
    entryRow(1, 'opening', { quantity_in: '50' }),
    entryRow(2, 'supply', { quantity_out: '1', ...intern }),
    entryRow(3, 'owing', { quantity_out: '1' }),
    entryRow(4, 'destruction', { quantity_out: '1' }),
    entryRow(5, 'partial', { quantity_out: '10', prescribed: '10', reference: 'R1' }),
    entryRow(6, 'countersign', { refers_to: '2', pharmacist: 'M. Dlamini' }),
    entryRow(7, 'owing_closed', { refers_to: '3' }),
    entryRow(8, 'destroyed', { refers_to: '4', second_signer: 'M. Dlamini' }),
    entryRow(9, 'reversal', { refers_to: '2', quantity_in: '1', note: 'not collected' }),
    entryRow(10, 'count', { counted: '38' }),
  ]
  await load({ s8_products: PRODUCTS, s8_transactions: entriesFile(after) }, { data_source: 'z' })
  expect(await state()).toEqual(left)
  const balances = await asOwner<{ source: string; balance: number }>(
    server,
    'select source, balance::float8 as balance from s8_product where location_id = $1 order by source',
    [id],
  )
  expect(balances).toEqual([
    { source: 'fred', balance: 73 },
    { source: 'z', balance: 38 },
  ])
})

it('products of the former register are overdue for a count until they are sent as inactive under its source', async () => {
  const { id, companyId, load } = await server.pharmacy()
  const register = (day: string) => ({
    s8_products: PRODUCTS,
    s8_transactions: entriesFile([
      entryRow(1, 'opening', { quantity_in: '10', occurred_at: `${day}T09:00` }),
      entryRow(2, 'count', { counted: '10', occurred_at: `${day}T10:00` }),
    ]),
  })
  const now = new Date('2026-11-20T02:00:00Z')
  const overdue = () =>
    inScope(server.services.pools.app, { companyId, locationIds: [id] }, (tx) => overdueAt(tx, id, now))
  await load(register('2026-09-01'), { data_source: 'fred' })
  await load(register('2026-11-10'), { data_source: 'z' })
  expect(await overdue()).toBe(1)
  await load({ s8_products: productsFile([{ ...MORPHINE, inactive: '1' }]) }, { data_source: 'fred' })
  expect(await overdue()).toBe(0)
})

it('a register sent again after the pharmacy’s time zone was corrected is the same; a time that differs is not', async () => {
  const { id, load } = await server.pharmacy()
  // An upload repeated word for word is not loaded, so each has one entry more.
  let last = 2
  const entries = (hour: string) =>
    entriesFile([
      entryRow(1, 'opening', { quantity_in: '7', occurred_at: '2026-10-12T10:15' }),
      entryRow(2, 'supply', { quantity_out: '1', occurred_at: `2026-11-02T${hour}:30` }),
      entryRow(++last, 'count', { counted: '6' }),
    ])
  const s8_status = 'taken_at,incoming_scripts\n2026-11-01T10:00,1\n'
  const counts = async () => {
    const [row] = await asOwner<Record<'contradictions' | 'open' | 'statuses', number>>(
      server,
      `select (select count(*)::int from s8_contradiction where location_id = $1) as contradictions,
         (select count(*)::int from s8_attention where location_id = $1 and kind = 'contradiction') as open,
         (select count(*)::int from s8_status where location_id = $1) as statuses`,
      [id],
    )
    return row!
  }
  await load({ s8_products: PRODUCTS, s8_transactions: entries('11'), s8_status })
  const none = { contradictions: 0, open: 0, statuses: 1 }
  const correct = (time_zone: string) =>
    server.services.pools.staff
      .transaction()
      .execute((tx) => updatePharmacy(tx, id, { name: `Corrected to ${time_zone}`, time_zone }))
  for (const time_zone of ['Australia/Perth', 'Australia/Brisbane']) {
    await correct(time_zone)
    await load({ s8_transactions: entries('11'), s8_status })
    expect(await counts()).toEqual(none)
  }
  // 11:30 in Sydney was 10:30 in Brisbane; 12:30 was never sent.
  await load({ s8_transactions: entries('12') })
  expect(await counts()).toEqual({ ...none, contradictions: 1, open: 1 })
  // A contradiction stays the same one in another zone.
  await correct('Australia/Perth')
  await load({ s8_transactions: entries('12') })
  expect(await counts()).toEqual({ ...none, contradictions: 1, open: 1 })
  // By Sydney's clock the second was taken at the moment of the first.
  const counted = (hour: string, scripts: number) => `taken_at,incoming_scripts\n2026-11-20T${hour}:00,${scripts}\n`
  await load({ s8_status: counted('08', 4) })
  await load({ s8_status: counted('11', 5) })
  expect(await counts()).toMatchObject({ statuses: 3 })
})
