import { describe, expect, test } from 'vitest'
import { day } from '../time/day.ts'
import { balanceCheckOf, balanced, settlesBalance } from './balance.ts'
import { BALANCE_CHECKS, type BalanceCheck, type Entry } from './entry.ts'
import { destructionState, isOwing, openPartials, waitsForCountersign } from './open-item.ts'
import { overdueFrom, stockStatus } from './stocktake.ts'
import { activePatients, sentOr } from './treatment.ts'

const entry = (number: number, type: Entry['type'], more: Partial<Entry> = {}): Entry => ({
  ...{ number, type, product: 'M10', in: 0, out: 0, stated: null, counted: null, check: null, pharmacist: 'A. Petrou' },
  ...{ intern: false, second: null, refersTo: null, note: null, reference: null, prescribed: null },
  ...more,
})

describe('a balance', () => {
  test('with 100, 60 in and 28 out is 132; a count of 130 is incorrect until it is adjusted with a note', () => {
    const rows = balanced([
      entry(4, 'count', { counted: 130 }),
      entry(1, 'opening', { in: 100, stated: 100 }),
      entry(2, 'receipt', { in: 60, stated: 160 }),
      entry(3, 'supply', { out: 28 }),
      entry(5, 'adjustment', { out: 2, note: 'two broken', stated: 130 }),
    ])
    expect(rows.map(({ balance, status }) => [balance, status])).toEqual([
      [100, 'correct'],
      [160, 'correct'],
      [132, 'skipped'],
      [132, 'incorrect'],
      [130, 'correct'],
    ])
    expect(settlesBalance(rows[4]!, rows[3]!)).toBe(true)
    expect(settlesBalance({ ...rows[4]!, note: ' ' }, rows[3]!)).toBe(false)
    expect(settlesBalance({ ...rows[4]!, product: 'other' }, rows[3]!)).toBe(false)
    const settles = (status: BalanceCheck) =>
      settlesBalance({ ...rows[4]!, type: 'count', note: null, status }, rows[3]!)
    expect(BALANCE_CHECKS.filter(settles)).toEqual(['correct'])
  })

  test('that is incorrect is not settled by its own entry', () => {
    const [row] = balanced([entry(1, 'adjustment', { in: 2, stated: 3, note: 'found two' })])
    expect(row!.status).toBe('incorrect')
    expect(settlesBalance(row!, row!)).toBe(false)
  })

  test('that differs is incorrect whatever the register says; if both agree, the register’s own word counts', () => {
    expect(balanceCheckOf({ stated: 5, counted: null, check: 'correct' }, 6)).toBe('incorrect')
    expect(balanceCheckOf({ stated: 6, counted: null, check: 'skipped' }, 6)).toBe('skipped')
    expect(balanceCheckOf({ stated: 6, counted: 5, check: null }, 6)).toBe('incorrect')
    expect(balanceCheckOf({ stated: 0.3, counted: null, check: null }, 0.1 + 0.2)).toBe('correct')
    // A hundred times 0.29 is a little less than 29 in floating point.
    expect(balanced([entry(1, 'receipt', { in: 0.29 }), entry(2, 'supply', { out: 0.01 })])[1]?.balance).toBe(0.28)
  })
})

test('a product counted on 1 July is overdue from 30 July', () => {
  const counted = day('2026-07-01')
  expect(overdueFrom(counted)).toBe(day('2026-07-30'))
  expect(stockStatus(counted, day('2026-07-29'))).toBe('counted')
  expect(stockStatus(counted, day('2026-07-30'))).toBe('overdue')
  expect(stockStatus(null, day('2026-07-30'))).toBe('never')
})

describe('a second signature', () => {
  const one = entry(1, 'supply', { intern: true, pharmacist: 'Luke White' })
  const sign = (by: string, intern = false) => entry(2, 'countersign', { refersTo: 1, pharmacist: by, intern })
  test('is required for an intern, from somebody else who is not an intern', () => {
    expect(waitsForCountersign(one, [one])).toBe(true)
    expect(waitsForCountersign({ ...one, intern: false }, [one])).toBe(false)
    expect(waitsForCountersign(one, [one, sign(' luke white')])).toBe(true)
    expect(waitsForCountersign(one, [one, sign('M. Dlamini', true)])).toBe(true)
    expect(waitsForCountersign(one, [one, sign('M. Dlamini')])).toBe(false)
    expect(waitsForCountersign({ ...one, second: 'M. Dlamini' }, [])).toBe(false)
  })
  test('ends a destruction, or puts its stock back', () => {
    const aside = entry(1, 'destruction', { out: 2 })
    const after = (type: Entry['type'], second: string | null) => [aside, entry(2, type, { refersTo: 1, second })]
    expect(destructionState(aside, after('destroyed', null))).toBe('pending')
    expect(destructionState(aside, after('destroyed', 'A. Petrou'))).toBe('pending')
    expect(destructionState(aside, after('destroyed', 'M. Dlamini'))).toBe('destroyed')
    expect(destructionState(aside, after('reversal', 'M. Dlamini'))).toBe('reversed')
  })
})

test('an advance supply is closed by its script, a partial one by the prescribed quantity', () => {
  const owing = entry(1, 'owing', { out: 20 })
  expect(isOwing(owing, [owing])).toBe(true)
  expect(isOwing(owing, [owing, entry(2, 'owing_closed', { refersTo: 1 })])).toBe(false)
  expect(isOwing(owing, [owing, entry(2, 'reversal', { refersTo: 1 })])).toBe(false)
  const part = (number: number, out: number) => entry(number, 'partial', { out, prescribed: 28, reference: 'R1' })
  expect(openPartials([part(1, 20)])).toEqual([{ product: 'M10', reference: 'R1', remaining: 8 }])
  expect(openPartials([part(1, 20), part(2, 8)])).toEqual([])
  // A part that refers to the part before it belongs to the same supply.
  expect(openPartials([part(1, 20), { ...part(2, 4), refersTo: 1 }]).map((one) => one.remaining)).toEqual([4])
  const back = entry(3, 'reversal', { in: 8, refersTo: 2, note: 'not collected' })
  expect(openPartials([part(1, 20), part(2, 8), back])).toEqual([{ product: 'M10', reference: 'R1', remaining: 8 }])
  // The same number for another product is another script.
  expect(openPartials([part(1, 20), { ...part(2, 8), product: 'X' }]).map((one) => one.remaining)).toEqual([8, 20])
})

test('an entry about another product, or an earlier one, closes nothing: its number is a mistake', () => {
  const owing = entry(2, 'owing', { out: 20 })
  const aside = entry(2, 'destruction', { out: 2 })
  const wrong = (type: Entry['type']) => [
    { ...entry(3, type, { refersTo: 2, second: 'M. Dlamini' }), product: 'X' },
    entry(1, type, { refersTo: 2, second: 'M. Dlamini' }),
  ]
  expect(isOwing(owing, [owing, ...wrong('owing_closed'), ...wrong('reversal')])).toBe(true)
  expect(destructionState(aside, [aside, ...wrong('destroyed'), ...wrong('reversal')])).toBe('pending')
})

test('an entry that was reversed closes, signs and puts back nothing', () => {
  const after = (entry: Entry, type: Entry['type']) => [
    entry,
    { ...entry, number: 2, type, refersTo: 1, out: 0, in: entry.out, pharmacist: 'M. Dlamini', second: 'S. Whitaker' },
  ]
  const reversed = (entry: Entry, type: Entry['type']) => [
    ...after(entry, type),
    { ...entry, number: 3, type: 'reversal' as const, refersTo: 2, note: 'wrong entry' },
  ]
  const owing = entry(1, 'owing', { out: 20 })
  for (const type of ['owing_closed', 'reversal'] as const) {
    expect(isOwing(owing, after(owing, type))).toBe(false)
    expect(isOwing(owing, reversed(owing, type))).toBe(true)
  }
  const set = entry(1, 'destruction', { out: 2 })
  expect(destructionState(set, after(set, 'destroyed'))).toBe('destroyed')
  expect(destructionState(set, reversed(set, 'destroyed'))).toBe('pending')
  const supply = { ...entry(1, 'supply'), intern: true }
  const countersign = { ...entry(2, 'countersign', { refersTo: 1, pharmacist: 'M. Dlamini' }) }
  expect(waitsForCountersign(supply, [supply, countersign])).toBe(false)
  expect(waitsForCountersign(supply, [supply, countersign, entry(3, 'reversal', { refersTo: 2 })])).toBe(true)
  // A reversal by mistake is reversed in its turn, and the entry is as it was before.
  const undone = [...reversed(owing, 'owing_closed'), entry(4, 'reversal', { refersTo: 3 })]
  expect(isOwing(owing, undone)).toBe(false)
  const part = entry(1, 'partial', { out: 28, prescribed: 28, reference: 'R1' })
  expect(openPartials(after(part, 'reversal').slice(0, 2))).toMatchObject([{ remaining: 28 }])
  expect(openPartials(reversed(part, 'reversal'))).toEqual([])
})

test('a patient is active for 30 days after a dose, and staged supply is counted separately', () => {
  const today = day('2026-11-30')
  const dose = (patient: string, back: number, type: 'odt_dose' | 'staged' = 'odt_dose') => ({
    type,
    patient,
    day: today - back,
  })
  const doses = [dose('a', 29), dose('a', 1), dose('b', 30), dose('c', 0, 'staged'), dose('d', -1)]
  expect(activePatients(doses, 'odt_dose', today)).toBe(1)
  expect(activePatients([dose('c', 0, 'staged')], 'staged', today)).toBe(1)
  expect([sentOr(4, 1), sentOr(null, 1), sentOr(null, null)]).toEqual([4, 1, null])
})
