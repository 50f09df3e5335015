import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kaplanMeier } from '../figure/kaplan-meier.ts'
import { type Follower, followersOf, shownCurve } from './curve.ts'

const READER = 9
const follower = fc.record({
  company: fc.integer({ min: 1, max: 5 }),
  shop: fc.integer({ min: 0, max: 1 }),
  days: fc.integer({ min: 0, max: 365 }),
  stopped: fc.boolean(),
})
const people = fc
  .array(follower, { minLength: 60, maxLength: 300 })
  .map((all) => all.map(({ shop, ...one }): Follower => ({ ...one, location: one.company * 10 + shop })))

/** The minimum behind every step of a curve: 10 people of 5 pharmacies of 3 companies. */
function expectEnough(group: readonly Follower[]): void {
  expect(group.length).toBeGreaterThanOrEqual(10)
  expect(new Set(group.map((one) => one.location)).size).toBeGreaterThanOrEqual(5)
  expect(new Set(group.map((one) => one.company)).size).toBeGreaterThanOrEqual(3)
}

describe('a persistence curve of a board', () => {
  it('is the same whatever the reader’s own patients did', () => {
    fc.assert(
      fc.property(people, fc.array(follower, { maxLength: 200 }), (others, some) => {
        const own = some.map(({ days, stopped }): Follower => ({ days, stopped, company: READER, location: 90 }))
        expect(shownCurve([...others, ...own], READER)).toEqual(shownCurve(others, READER))
        expect(followersOf([...others, ...own], READER)).toBe(followersOf(others, READER))
      }),
    )
  })

  it('has no step and no end based on a small group', () => {
    let points = 0
    fc.assert(
      fc.property(people, (others) => {
        let last = -1
        for (const { day } of shownCurve(others, READER)) {
          expectEnough(others.filter((one) => one.stopped && one.days > last && one.days <= day))
          expectEnough(others.filter((one) => one.days >= day))
          last = day
          points++
        }
      }),
    )
    expect(points).toBeGreaterThan(100)
  })

  it('has a point every 30 days of a year, the last on its last day', () => {
    const days = [...Array(11).keys()].map((month) => (month + 1) * 30).concat(365)
    const stopped = days.flatMap((on) =>
      [1, 2, 3, 4, 5].flatMap((company) => [1, 2].map(() => ({ company, location: company, days: on, stopped: true }))),
    )
    const stayed = [1, 2, 3, 4, 5].flatMap((company) =>
      [1, 2].map(() => ({ company, location: company, days: 365, stopped: false })),
    )
    expect(shownCurve([...stopped, ...stayed], READER).map(({ day }) => day)).toEqual(days)
  })

  it('ends once all who are left belong to one company, however many', () => {
    const stop = (company: number, days: number): Follower => ({ company, location: company, days, stopped: true })
    const short = [1, 2, 3, 4, 5].flatMap((company) => Array.from({ length: 10 }, () => stop(company, 20)))
    const long = Array.from({ length: 40 }, () => stop(1, 300))
    expect(shownCurve([...short, ...long], READER)).toEqual([])
  })

  it('does not reveal exact numbers: more than one fits every point it shows', () => {
    for (const [began, stopped] of [
      [57, 12],
      [112, 31],
      [400, 153],
    ] as const) {
      const all = (count: number, from: number): Follower[] =>
        Array.from({ length: count }, (_, at) => {
          const location = at % 5
          return { company: location, location, days: at < from ? 15 : 35, stopped: at < from }
        })
      const [shown] = shownCurve(all(began, stopped), READER)
      const [exact] = kaplanMeier(all(began, stopped))
      for (const key of ['share', 'low', 'high'] as const) expect(shown![key]).toBe(Number(exact![key]!.toFixed(2)))
      expect(Math.abs(shown!.at_risk - (began - stopped))).toBeLessThanOrEqual(5)
      const fitting = new Set<number>()
      for (let n = began - 25; n <= began + 25; n++)
        for (let d = 10; d <= Math.min(n - 10, stopped + 20); d++) {
          const [point] = kaplanMeier(all(n, d))
          const same =
            Math.round(point!.share * 100) === Math.round(shown!.share * 100) &&
            Math.round(point!.low! * 100) === Math.round(shown!.low! * 100) &&
            Math.round(point!.high! * 100) === Math.round(shown!.high! * 100) &&
            Math.round((n - d) / 10) * 10 === shown!.at_risk
          if (same) fitting.add(n)
        }
      expect(fitting.size, `${began} began`).toBeGreaterThan(1)
      for (const value of [shown!.share, shown!.low!, shown!.high!]) expect(value).toBe(Math.round(value * 100) / 100)
    }
  })
})
