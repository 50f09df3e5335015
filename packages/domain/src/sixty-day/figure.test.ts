import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  figureOf,
  noSums,
  pooled,
  SIXTY_DAY_SUMS,
  type SixtyDaySums,
  STATISTIC_KEYS,
  sixtyDayShare,
  sumsFor,
  visitsLostPercent,
} from './figure.ts'

const terms = { uptake: 0.63, feeCents: 1346, shortages: true }
const sums = (given: Partial<SixtyDaySums>): SixtyDaySums => ({ ...noSums(), ...given })

it('the share of 60-day supplies is a share of eligible supplies', () => {
  expect(sixtyDayShare(sums({ sixty_supplies: 3, eligible_supplies: 12, scripts: 40 })).value).toBe(0.25)
})

describe('the worked example of docs/metrics.md, 60 day dispensing', () => {
  // n = 12, 11, 7 and 1 supplies
  const example = sums({ affected_scripts: 30, script_pairs: 6 + 5 + 3 })
  it('loses 8.82 scripts, 29.4% of those affected, and 118.72 dollars', () => {
    expect(figureOf('scripts_lost', example, terms).value).toBeCloseTo(8.82, 10)
    expect(figureOf('lost_affected_scripts_percent', example, terms).value).toBeCloseTo(0.294, 10)
    expect(figureOf('revenue_lost', example, terms).value).toBe(118.72)
  })
  it('loses 76.47 dollars after subtracting the supply support', () => {
    expect(figureOf('revenue_lost', example, { ...terms, feeCents: 1346 - 479 }).value).toBe(76.47)
  })
  it('loses 3.15 of ten visits with only affected scripts', () => {
    expect(figureOf('visits_lost', sums({ visit_pairs: 5 }), terms).value).toBeCloseTo(3.15, 10)
    expect(visitsLostPercent(sums({ visit_pairs: 5, visits: 10 }), terms).value).toBeCloseTo(0.315, 10)
  })
})

describe('any statistic', () => {
  it('needs the sums it declares, and no others', () => {
    const all = sums(Object.fromEntries(SIXTY_DAY_SUMS.map((name, at) => [name, 100 + 7 * at])))
    for (const key of STATISTIC_KEYS) {
      const named = sumsFor(key)
      const own = sums(Object.fromEntries(named.map((name) => [name, all[name]])))
      expect([key, figureOf(key, own, terms)]).toEqual([key, figureOf(key, all, terms)])
      for (const name of named)
        expect([key, figureOf(key, { ...own, [name]: 0 }, terms)]).not.toEqual([key, figureOf(key, all, terms)])
    }
    expect(sumsFor('revenue_lost', 'scripts_lost', 'affected_scripts')).toEqual(['script_pairs', 'affected_scripts'])
  })
  it('has its inputs: for lost revenue, the lost scripts', () => {
    expect(figureOf('revenue_lost', sums({ script_pairs: 14 }), terms)).toMatchObject({
      numerator: expect.closeTo(8.82, 10),
      denominator: null,
    })
  })
  it('has no noise from binary fractions', () => {
    const many = sums({ script_pairs: 4773, visit_pairs: 4773, affected_scripts: 10_000 })
    expect(figureOf('revenue_lost', many, terms).numerator).toBe(3006.99)
    expect(figureOf('visits_lost', many, terms).value).toBe(3006.99)
    expect(figureOf('lost_affected_scripts_percent', many, terms).numerator).toBe(3006.99)
  })
  it('rounds half a cent up: 10.5 scripts at $13.79 are $144.80', () => {
    const lost = (uptake: number) =>
      figureOf('revenue_lost', sums({ script_pairs: 28 }), { ...terms, uptake, feeCents: 1379 })
    expect(lost(0.375).value).toBe(144.8)
    expect(lost(0).value).toBe(0)
  })
  it('is null as a share of nothing, never 0', () => {
    const shares = STATISTIC_KEYS.filter((key) => key.endsWith('percent'))
    expect(shares.map((key) => figureOf(key, noSums(), terms).value)).toEqual(shares.map(() => null))
  })
  it('is unknown for shortages while no list is loaded', () => {
    const some = sums({ shortage_scripts: 5, shortage_patients: 2 })
    expect(figureOf('shortage_scripts', some, terms).value).toBe(5)
    expect(figureOf('shortage_scripts', some, { ...terms, shortages: false }).value).toBeNull()
    expect(figureOf('shortage_patients', some, { ...terms, shortages: false }).value).toBeNull()
  })
  it('treats both known sexes as the whole, and no others', () => {
    const some = sums({ affected_patients: 10, male_patients: 2, female_patients: 6 })
    expect(figureOf('male_patients_percent', some, terms)).toEqual({ value: 0.25, numerator: 2, denominator: 8 })
    expect(figureOf('female_patients_percent', some, terms).value).toBe(0.75)
  })
  it('divides a share by the cell’s own total', () => {
    const some = sums({ affected_scripts: 30, scripts: 120, affected_patients: 3, patients: 12, affected_cents: 12345 })
    expect(figureOf('affected_scripts_percent', some, terms).value).toBe(0.25)
    expect(figureOf('affected_patients_percent', some, terms).value).toBe(0.25)
    expect(figureOf('affected_revenue', some, terms).value).toBe(123.45)
  })
})

const anySums = fc
  .array(fc.nat(100_000), { minLength: SIXTY_DAY_SUMS.length, maxLength: SIXTY_DAY_SUMS.length })
  .map((list) => Object.fromEntries(SIXTY_DAY_SUMS.map((name, at) => [name, list[at]])) as unknown as SixtyDaySums)

describe('properties', () => {
  it('the loss grows in proportion to the uptake, and nothing else depends on it', () => {
    fc.assert(
      fc.property(anySums, fc.double({ min: 0, max: 1, noNaN: true }), (some, uptake) => {
        for (const key of STATISTIC_KEYS) {
          const [at, whole] = [
            figureOf(key, some, { ...terms, uptake }).value,
            figureOf(key, some, { ...terms, uptake: 1 }).value,
          ]
          if (at === null || whole === null) expect(at).toBe(whole)
          // Money is rounded to the cent.
          else
            expect(Math.abs(at - (/lost/.test(key) ? whole * uptake : whole))).toBeLessThan(
              key === 'revenue_lost' ? 0.011 : 1e-6,
            )
        }
      }),
    )
  })
  it('pooling adds sums: the figure of two pharmacies lies between theirs, or is their sum', () => {
    fc.assert(
      fc.property(anySums, anySums, (a, b) => {
        const both = figureOf('affected_scripts_percent', pooled([a, b]), terms).value
        const each = [a, b].map((one) => figureOf('affected_scripts_percent', one, terms).value ?? Number.NaN)
        if (both !== null && !each.some(Number.isNaN)) {
          expect(both).toBeGreaterThanOrEqual(Math.min(...each) - 1e-12)
          expect(both).toBeLessThanOrEqual(Math.max(...each) + 1e-12)
        }
        const money = (one: SixtyDaySums) => figureOf('revenue_lost', one, terms).value ?? 0
        // Each is rounded to the cent.
        expect(Math.abs(money(pooled([a, b])) - money(a) - money(b))).toBeLessThan(0.021)
      }),
    )
  })
})
