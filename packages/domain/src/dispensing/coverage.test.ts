import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { daysIn } from '../measure/course.ts'
import { day } from '../time/day.ts'
import { closedDays, levelOf, WINDOW_DAYS, type Window } from './adherence.ts'
import { pdcNaive, type Supply } from './coverage.ts'

/** The share of days covered by these supplies over the whole window, as figures measure it. */
function pdc(supplies: readonly Supply[], window: Window, closed: readonly Window[] = []): ReturnType<typeof pdcNaive> {
  const ordered = [...supplies].sort((a, b) => a.date - b.date)
  const [day, days] = [ordered.map(({ date }) => date), ordered.map((one) => one.days)]
  const course = { pair: 0, first: Number.NEGATIVE_INFINITY, day, days, cents: days.map(() => 0), closed }
  const { observed, covered } = daysIn(
    { ...course, endings: { died: null, ceased: [], replaced: [] } },
    window,
    window.to,
  )
  return { coveredDays: covered, observedDays: observed, pdc: observed === 0 ? null : covered / observed }
}

const WORKED = [
  '2024-06-10',
  '2024-07-05',
  '2024-08-20',
  '2024-09-15',
  '2024-10-25',
  '2024-12-01',
  '2024-12-20',
  '2025-02-10',
  '2025-03-08',
  '2025-04-20',
  '2025-06-15',
].map((date): Supply => ({ date: day(date), days: 30 }))
const t = day('2025-06-30')

describe('worked example of docs/metrics.md, Adherence', () => {
  test.each([
    ['measured', pdc],
    ['day by day', pdcNaive],
  ])('%s: 295 of 365 days', (_, count) => {
    const result = count(WORKED, { from: t - WINDOW_DAYS + 1, to: t })
    expect(result).toMatchObject({ coveredDays: 295, observedDays: 365 })
    expect(result.pdc).toBeCloseTo(0.8082, 4)
    expect(levelOf(result.pdc)).toBe(4)
  })

  test.each([
    ['measured', pdc],
    ['day by day', pdcNaive],
  ])('%s: a strict start at the first fill of the year, without carry-in, gives 286 of 361', (_, count) => {
    const result = count(WORKED.slice(1), { from: day('2024-07-05'), to: t })
    expect(result).toMatchObject({ coveredDays: 286, observedDays: 361 })
    expect(levelOf(result.pdc)).toBe(3)
  })

  test('a plain sum of supply over the same days would be 300 of 361', () => {
    const sum = WORKED.slice(1).reduce((total, supply) => total + supply.days, 0)
    expect(sum).toBe(300)
    expect(sum / 361).toBeCloseTo(0.831, 3)
  })

  test('the last supply covers 16 days in the window', () => {
    const last = { from: day('2025-06-15'), to: t }
    expect(pdc(WORKED, last).coveredDays).toBe(16)
  })
})

describe('two cessations, each followed by a restart', () => {
  const supplies = ['2025-07-01', '2025-07-31', '2025-12-01', '2025-12-31', '2026-05-01', '2026-05-31'].map(
    (date): Supply => ({ date: day(date), days: 30 }),
  )
  const window = { from: day('2025-07-01'), to: day('2026-06-30') }
  const days = supplies.map(({ date }) => date)
  const closed = (...cessations: string[]) => closedDays(cessations.map(day), days)

  test.each([
    ['measured', pdc],
    ['day by day', pdcNaive],
  ])('%s: 162 of 163 days', (_, count) => {
    // 21 August to 30 November and 21 January to 30 April are closed: 102 and 100 days. The supplies of 31 July and 31 December last until
    // 29 August and 29 January, so each covers 9 closed days.
    const result = count(supplies, window, closed('2025-08-20', '2026-01-20'))
    expect(result).toMatchObject({ coveredDays: 162, observedDays: 163 })
    expect(levelOf(result.pdc)).toBe(5)
    expect(count(supplies, window, closed('2026-01-20'))).toMatchObject({ coveredDays: 171, observedDays: 265 })
    expect(count(supplies, window)).toMatchObject({ coveredDays: 180, observedDays: 365 })
  })

  test('stock keeps running down, and a restart does not get it back', () => {
    const chain = [
      { date: 100, days: 60 },
      { date: 140, days: 10 },
    ]
    // Closed from 121 to 139; the first supply would last until 159, and the second waits behind it.
    for (const count of [pdc, pdcNaive])
      expect(count(chain, { from: 100, to: 179 }, closedDays([120], [100, 140]))).toMatchObject({
        coveredDays: 21 + 30,
        observedDays: 80 - 19,
      })
  })
})

describe('coverage', () => {
  test('without a supply no day is covered', () => {
    expect(pdc([], { from: 10, to: 19 })).toEqual({ coveredDays: 0, observedDays: 10, pdc: 0 })
    expect(pdc([], { from: 10, to: 9 })).toEqual({ coveredDays: 0, observedDays: 0, pdc: null })
  })

  test('repeats supplied all at once are used one after another', () => {
    const supplies = Array.from({ length: 6 }, () => ({ date: 100, days: 30 }))
    expect(pdc(supplies, { from: 100, to: 100 + 364 }).coveredDays).toBe(180)
    expect(pdc(supplies, { from: 100, to: 149 }).coveredDays).toBe(50)
  })

  test('a supply 365 days before the window carries in, one 366 days before does not', () => {
    const window = { from: 1000, to: 1009 }
    const chain = (first: number) => [
      { date: first, days: 365 },
      { date: first + 1, days: 5 },
    ]
    expect(pdc(chain(635), window).coveredDays).toBe(5)
    expect(pdc(chain(634), window).coveredDays).toBe(0)
  })

  test('a supply after the window does not count', () => {
    expect(pdc([{ date: 20, days: 30 }], { from: 10, to: 19 }).coveredDays).toBe(0)
  })

  test('the measurement equals the day-by-day count', () => {
    const supplies = fc.array(
      fc.record({ date: fc.integer({ min: 0, max: 900 }), days: fc.integer({ min: 1, max: 365 }) }),
      {
        maxLength: 30,
      },
    )
    const short = fc.array(
      fc.record({ date: fc.integer({ min: 300, max: 760 }), days: fc.integer({ min: 1, max: 40 }) }),
      {
        maxLength: 20,
      },
    )
    const windows = fc.record({ from: fc.integer({ min: 0, max: 800 }), length: fc.integer({ min: 1, max: 366 }) })
    const cessations = fc.array(fc.integer({ min: 0, max: 1200 }), { maxLength: 4 })
    fc.assert(
      fc.property(fc.oneof(supplies, short), windows, cessations, (list, { from, length }, ceased) => {
        const window = { from, to: from + length - 1 }
        const days = list.map(({ date }) => date)
        expect(pdc(list, window, closedDays(ceased, days))).toEqual(pdcNaive(list, window, closedDays(ceased, days)))
      }),
      { numRuns: 1000 },
    )
  })

  test('adding a supply never lowers coverage, which never exceeds the window', () => {
    const supply = fc.record({ date: fc.integer({ min: 0, max: 500 }), days: fc.integer({ min: 1, max: 90 }) })
    fc.assert(
      fc.property(fc.array(supply, { maxLength: 15 }), supply, (list, more) => {
        const window = { from: 300, to: 500 }
        const before = pdc(list, window).coveredDays
        const after = pdc([...list, more], window).coveredDays
        expect(after).toBeGreaterThanOrEqual(before)
        expect(after).toBeLessThanOrEqual(201)
      }),
    )
  })
})
