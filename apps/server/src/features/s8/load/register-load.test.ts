import { balanced } from '@pillar/domain/s8/balance'
import {
  destructionState,
  isDestruction,
  isOwing,
  openPartials,
  waitsForCountersign,
} from '@pillar/domain/s8/open-item'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../../test/deep.ts'
import { asOwner } from '../../../../test/people.ts'
import {
  entriesFile,
  entryOf,
  entryRow,
  METHADONE,
  MORPHINE,
  productsFile,
  type RegisterRow,
} from '../../../../test/register.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'
import { inScope } from '../../../db/scope.ts'
import { verifyScope } from '../verify/verify-register.ts'

let server: UploadServer

beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const PRODUCTS = productsFile([MORPHINE, METHADONE])

type Stored = { number: number; balance: number; balance_check: string }

/** A register's results: balances by number, products, what needs attention, and the counts. */
async function registerOf({ id }: TestPharmacy) {
  const entries = await asOwner<Stored>(
    server,
    `select e.number::int, b.balance::float8 as balance, b.balance_check from s8_entry e
     join s8_balance b on b.location_id = e.location_id and b.source = e.source and b.number = e.number where e.location_id = $1 order by e.number`,
    [id],
  )
  const products = await asOwner(
    server,
    'select product_id, balance::float8 as balance, last_stocktake_on::text, last_stocktake_taken_by from s8_product where location_id = $1 order by product_id',
    [id],
  )
  const attention = await asOwner(
    server,
    'select kind, product_id, number::int, base_on::text, until_on::text from s8_attention where location_id = $1 order by kind, product_id, number, base_on, until_on',
    [id],
  )
  const [counts] = await asOwner<Record<string, number>>(
    server,
    'select owing_scripts, partial_supplies, countersigns, destructions from s8_pharmacy where location_id = $1',
    [id],
  )
  return { entries, products, attention, counts }
}

async function verdictOf({ id, companyId }: TestPharmacy) {
  const scope = { companyId, locationIds: [id] }
  const [verdict] = await verifyScope(server.services.pools.app, scope, new Map(), new Date())
  return verdict!
}

describe('an upload of a register', () => {
  it('adds up 100 + 60 − 28 = 132, finds a count of 130 incorrect and the adjustment that settles it', async () => {
    const pharmacy = await server.pharmacy()
    const rows = [
      entryRow(1, 'opening', { quantity_in: '100', balance: '100' }),
      entryRow(2, 'receipt', { quantity_in: '60', balance: '160' }),
      entryRow(3, 'supply', { quantity_out: '28' }),
      entryRow(4, 'count', { counted: '130' }),
    ]
    const first = await pharmacy.load({ s8_products: PRODUCTS, s8_transactions: entriesFile(rows) })
    expect([first.etl_state, first.notes]).toEqual(['COMPLETED', 'S8 register: 4 new entries.'])
    const before = await registerOf(pharmacy)
    expect(before.entries).toEqual([
      { number: 1, balance: 100, balance_check: 'correct' },
      { number: 2, balance: 160, balance_check: 'correct' },
      { number: 3, balance: 132, balance_check: 'skipped' },
      { number: 4, balance: 132, balance_check: 'incorrect' },
    ])
    expect(before.attention).toContainEqual(expect.objectContaining({ kind: 'balance', number: 4, until_on: null }))
    const note = 'Two tablets broken, seen by M. Dlamini'
    // Items settled a hundred days ago are in no trend any more.
    const settled = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(Date.now() - 86_400_000)
    const fix = entryRow(5, 'adjustment', { quantity_out: '2', balance: '130', note, occurred_at: `${settled}T09:00` })
    await pharmacy.load({ s8_transactions: entriesFile([fix]) })
    const after = await registerOf(pharmacy)
    expect(after.entries.at(-1)).toEqual({ number: 5, balance: 130, balance_check: 'correct' })
    expect(after.attention).toContainEqual(expect.objectContaining({ kind: 'balance', number: 4, until_on: settled }))
    expect(after.products[0]).toMatchObject({ balance: 130, last_stocktake_on: '2026-11-01' })
    expect(await verdictOf(pharmacy)).toMatchObject({ entries: 5, fault: null })
  })

  it('ignores an entry sent again, and keeps the first of two that contradict each other', async () => {
    const pharmacy = await server.pharmacy()
    const rows = [
      entryRow(1, 'opening', { quantity_in: '100' }),
      entryRow(2, 'supply', { quantity_out: '10', name: 'Ruth Hale' }),
    ]
    await pharmacy.load({ s8_products: PRODUCTS, s8_transactions: entriesFile(rows) })
    const again = [...rows, entryRow(3, 'supply', { quantity_out: '1' })]
    expect((await pharmacy.load({ s8_transactions: entriesFile(again) })).notes).toBe('S8 register: 1 new entry.')
    const other = entryRow(2, 'supply', { quantity_out: '12', name: 'Ruth Hale' })
    const loaded = await pharmacy.load({
      s8_transactions: entriesFile([other, entryRow(4, 'supply', { quantity_out: '5' })]),
    })
    expect([loaded.etl_state, loaded.notes]).toEqual([
      'COMPLETED',
      'S8 register: 1 new entry. 1 entry was sent again with other content: the first stands, and both are kept.',
    ])
    expect((await registerOf(pharmacy)).entries.map(({ balance }) => balance)).toEqual([100, 90, 89, 84])
    const kept = await asOwner<{ number: string; out: number }>(
      server,
      `select number, (content ->> 'quantity_out')::float8 as out from s8_contradiction where location_id = $1`,
      [pharmacy.id],
    )
    expect(kept.map(({ number, out }) => [Number(number), out])).toEqual([[2, 12]])
    expect((await registerOf(pharmacy)).attention).toContainEqual(
      expect.objectContaining({ kind: 'contradiction', number: 2, until_on: null }),
    )
    const reversal = entryRow(5, 'reversal', { quantity_in: '10', refers_to: '2', note: 'Quantity was 12' })
    const third = await pharmacy.load({ s8_transactions: entriesFile([other, reversal]) })
    expect(third.notes).toBe('S8 register: 1 new entry.')
    expect((await registerOf(pharmacy)).attention).not.toContainEqual(
      expect.objectContaining({ kind: 'contradiction', until_on: null }),
    )
  })

  it('keeps both rows of a number that occurs twice in one file, the first as the entry', async () => {
    const pharmacy = await server.pharmacy()
    const rows = [
      entryRow(1, 'opening', { quantity_in: '7' }),
      entryRow(1, 'opening', { quantity_in: '9' }),
      entryRow(1, 'opening', { quantity_in: '7' }),
      entryRow(1, 'opening', { quantity_in: '9' }),
    ]
    const { notes } = await pharmacy.load({ s8_products: PRODUCTS, s8_transactions: entriesFile(rows) })
    expect(notes).toContain('1 entry was sent again with other content')
    expect((await registerOf(pharmacy)).entries).toEqual([{ number: 1, balance: 7, balance_check: 'skipped' }])
  })

  it('lists an entry of an unknown product as faulty, and refuses unknown kinds and invalid times', async () => {
    const pharmacy = await server.pharmacy()
    const many = Array.from({ length: 300 }, (_, at) => entryRow(at + 1, 'receipt', { quantity_in: '1' }))
    const bad = [
      entryRow(301, 'receipt', { product_id: 'X' }),
      entryRow(302, 'stolen'),
      entryRow(303, 'receipt', { occurred_at: '2026-13-01' }),
    ]
    const { etl_state, faults } = await pharmacy.load({
      s8_products: PRODUCTS,
      s8_transactions: entriesFile([...many, ...bad]),
    })
    expect(etl_state).toBe('COMPLETED')
    expect(faults.map(({ line, column }) => [line, column]).sort()).toEqual([
      [302, 'product_id'],
      [303, 'entry_type'],
      [304, 'occurred_at'],
    ])
  })

  it('does not affect the dispensing record', async () => {
    const { id, load } = await server.pharmacy()
    await load({ s8_products: PRODUCTS })
    const [row] = await asOwner(server, 'select data_to, last_upload_at from location where id = $1', [id])
    expect(row).toEqual({ data_to: null, last_upload_at: null })
  })

  it('is never changed by the serving roles: entries, contradictions and counts can only be added', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load({
      s8_products: PRODUCTS,
      s8_transactions: entriesFile([entryRow(1, 'opening', { quantity_in: '7' })]),
    })
    const scope = { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }
    const { app } = server.services.pools
    await expect(
      inScope(app, scope, (tx) => tx.updateTable('s8_entry').set({ quantity_in: '9' }).execute()),
    ).rejects.toThrow('permission denied')
    await expect(inScope(app, scope, (tx) => tx.deleteFrom('s8_entry').execute())).rejects.toThrow('permission denied')
  })
})

const PEOPLE = ['A. Petrou', 'M. Dlamini', 'S. Whitaker']
const entries = fc
  .array(
    fc.record({
      type: fc.constantFrom(
        ...['opening', 'receipt', 'supply', 'owing', 'owing_closed', 'partial', 'count', 'adjustment', 'destruction'],
        ...['destroyed', 'patient_return', 'reversal', 'countersign'],
      ),
      product: fc.constantFrom('M10', 'ME5'),
      amount: fc.integer({ min: 0, max: 4 }),
      stated: fc.option(fc.integer({ min: 0, max: 9 })),
      check: fc.constantFrom('', '', 'correct', 'skipped', 'incorrect'),
      by: fc.constantFrom(...PEOPLE),
      second: fc.option(fc.constantFrom(...PEOPLE)),
      intern: fc.boolean(),
      about: fc.integer({ min: 0, max: 30 }),
      note: fc.constantFrom('', 'why'),
      day: fc.integer({ min: 1, max: 20 }),
      piece: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 1, maxLength: 24 },
  )
  .map((drawn) =>
    drawn.map((one, at) => {
      const into = ['opening', 'receipt', 'reversal'].includes(one.type)
      const moves = !['owing_closed', 'count', 'destroyed', 'patient_return', 'countersign'].includes(one.type)
      const row = entryRow(at + 1, one.type, {
        product_id: one.product,
        occurred_at: `2026-11-${String(one.day).padStart(2, '0')}T10:00`,
        pharmacist: one.by,
        intern: one.intern ? '1' : '0',
        second_signer: one.second ?? '',
        note: one.note,
        ...(moves ? { [into ? 'quantity_in' : 'quantity_out']: String(one.amount) } : {}),
        ...(one.type === 'count'
          ? { counted: String(one.amount) }
          : { balance: one.stated === null ? '' : String(one.stated) }),
        balance_check: one.check,
        ...(['owing_closed', 'destroyed', 'reversal', 'countersign'].includes(one.type) && at > 0
          ? { refers_to: String((one.about % at) + 1) }
          : {}),
        ...(one.type === 'partial' ? { reference: `R${one.amount % 2}`, prescribed: '6' } : {}),
      })
      return { row, piece: one.piece }
    }),
  )

describe('a register that arrives in pieces', () => {
  it('equals one complete upload in any order, with the same results from the rules', async () => {
    await fc.assert(
      fc.asyncProperty(entries, fc.integer(), async (drawn, seed) => {
        const rows = drawn.map(({ row }) => row)
        const whole = await server.pharmacy()
        await whole.load({ s8_products: PRODUCTS, s8_transactions: entriesFile(rows) })
        const expected = await registerOf(whole)
        const pieces = await server.pharmacy()
        const order = seed % 2 === 0 ? [2, 0, 1] : [1, 2, 0]
        await pieces.load({ s8_products: PRODUCTS })
        for (const piece of order) {
          const part: RegisterRow[] = drawn.filter((one) => one.piece === piece).map(({ row }) => row)
          if (part.length > 0) await pieces.load({ s8_transactions: entriesFile(part.toReversed()) })
        }
        expect(await registerOf(pieces)).toEqual(expected)
        expect([await verdictOf(whole), await verdictOf(pieces)].map(({ fault }) => fault)).toEqual([null, null])

        const all = rows.map(entryOf)
        expect(expected.entries).toEqual(
          balanced(all).map(({ number, balance, status }) => ({ number, balance, balance_check: status })),
        )
        expect(expected.counts).toEqual({
          owing_scripts: all.filter((one) => isOwing(one, all)).length,
          partial_supplies: openPartials(all).length,
          countersigns: all.filter((one) => waitsForCountersign(one, all)).length,
          destructions: all.filter((one) => isDestruction(one) && destructionState(one, all) === 'pending').length,
        })
      }),
      { numRuns: DEEP ? 200 : 8 },
    )
  })
})

describe('many writers of one register', () => {
  it('leave no gap in its chain, and balances that are the sum of what they wrote', async () => {
    const writers = DEEP ? 100 : 12
    const pharmacy = await server.pharmacy()
    await pharmacy.load({ s8_products: PRODUCTS })
    const rows = Array.from({ length: writers * 5 }, (_, at) =>
      entryRow(at + 1, at % 5 === 0 ? 'receipt' : 'supply', {
        [at % 5 === 0 ? 'quantity_in' : 'quantity_out']: at % 5 === 0 ? '40' : '10',
      }),
    )
    const sent = await Promise.all(
      Array.from({ length: writers }, (_, writer) =>
        pharmacy.upload({ s8_transactions: entriesFile(rows.filter((_row, at) => at % writers === writer)) }),
      ),
    )
    for (const { status, body } of sent) {
      expect([status, body.message]).toEqual([200, undefined])
      expect((await pharmacy.settled(body.uuid)).etl_state).toBe('COMPLETED')
    }
    const { entries: stored, products } = await registerOf(pharmacy)
    expect(stored.map(({ balance }) => balance)).toEqual(balanced(rows.map(entryOf)).map(({ balance }) => balance))
    expect(products[0]).toMatchObject({ balance: 0 })
    const [chain] = await asOwner(server, 'select count(*)::int, max(seq)::int from s8_entry where location_id = $1', [
      pharmacy.id,
    ])
    expect(chain).toEqual({ count: rows.length, max: rows.length })
    expect(await verdictOf(pharmacy)).toMatchObject({ entries: rows.length, fault: null })
  })
})
