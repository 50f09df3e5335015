import { describe, expect, test } from 'vitest'
import { opportunity } from './opportunity.ts'

const worked = {
  measuredPairs: 4000,
  coveredDays: 62,
  observedDays: 100,
  measuredScripts: 10_000,
  totalScripts: 12_000,
  revenue: 420_000,
  adherenceAdjustment: 5,
  priceAdjustment: 0.5,
}
const cents = (value: number) => Math.round(value * 100) / 100

describe('opportunity', () => {
  test('worked example of docs/metrics.md, Opportunity calculator, to the cent', () => {
    const result = opportunity(worked)
    expect(result.currentAdherence).toBe(0.62)
    expect(result.potentialAdherence).toBeCloseTo(0.67, 12)
    expect(cents(result.potentialScripts)).toBe(12_806.45)
    expect(cents(result.potentialRevenue)).toBe(454_629.03)
    expect(cents(opportunity({ ...worked, priceAdjustment: 0 }).potentialRevenue)).toBe(448_225.81)
  })

  test('no adjustment changes nothing', () => {
    const same = opportunity({ ...worked, adherenceAdjustment: 0, priceAdjustment: 0 })
    expect(same.potentialScripts).toBe(12_000)
    expect(same.potentialRevenue).toBe(420_000)
  })

  test('adherence stays within 0 and 1, price stays at 0 or above', () => {
    const full = opportunity({ ...worked, adherenceAdjustment: 60, priceAdjustment: 0 })
    expect(full.potentialAdherence).toBe(1)
    expect(full.potentialScripts).toBeCloseTo(2000 + 10_000 / 0.62, 8)
    const none = opportunity({ ...worked, adherenceAdjustment: -90, priceAdjustment: 0 })
    expect(none.potentialAdherence).toBe(0)
    expect(none.potentialScripts).toBe(2000)
    expect(opportunity({ ...worked, priceAdjustment: -40 }).potentialRevenue).toBe(0)
  })

  test('with fewer than 10 measured pairs, or none, only the price part counts', () => {
    for (const few of [
      { coveredDays: 0, observedDays: 0, measuredScripts: 0, measuredPairs: 0 },
      { measuredPairs: 9 },
    ]) {
      const unmeasured = opportunity({ ...worked, ...few })
      expect([unmeasured.currentAdherence, unmeasured.potentialAdherence]).toEqual([null, null])
      expect(unmeasured.potentialScripts).toBe(12_000)
      expect(unmeasured.potentialRevenue).toBeCloseTo(426_000, 6)
    }
    expect(opportunity({ ...worked, measuredPairs: 10 }).currentAdherence).toBe(0.62)
  })

  test('without covered days there is no growth: adherence is left out, not 0%', () => {
    const zero = opportunity({ ...worked, coveredDays: 0 })
    expect([zero.currentAdherence, zero.potentialAdherence, zero.potentialScripts]).toEqual([null, null, 12_000])
  })

  test('scripts at most double, and the result says so', () => {
    const low = opportunity({ ...worked, coveredDays: 10, adherenceAdjustment: 50, priceAdjustment: 0 })
    expect(low.potentialAdherence).toBeCloseTo(0.6, 12)
    expect([low.potentialScripts, low.growthCapped]).toEqual([22_000, true])
    const twice = opportunity({ ...worked, coveredDays: 25, adherenceAdjustment: 25, priceAdjustment: 0 })
    expect([twice.potentialScripts, twice.growthCapped]).toEqual([22_000, false])
    expect(opportunity(worked).growthCapped).toBe(false)
  })

  test('without scripts there is no revenue', () => {
    const empty = { coveredDays: 0, observedDays: 0, measuredPairs: 0, measuredScripts: 0, totalScripts: 0, revenue: 0 }
    const result = opportunity({ ...empty, adherenceAdjustment: 5, priceAdjustment: 1 })
    expect(result.potentialRevenue).toBe(0)
  })
})
