import { describe, expect, test } from 'vitest'
import { opportunity } from './opportunity.ts'

const worked = {
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
  test('worked example of domain.md section 4, to the cent', () => {
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

  test('without measured days only the price part counts', () => {
    const unmeasured = opportunity({ ...worked, coveredDays: 0, observedDays: 0, measuredScripts: 0 })
    expect(unmeasured.currentAdherence).toBeNull()
    expect(unmeasured.potentialAdherence).toBeNull()
    expect(unmeasured.potentialScripts).toBe(12_000)
    expect(unmeasured.potentialRevenue).toBeCloseTo(426_000, 6)
    const zero = opportunity({ ...worked, coveredDays: 0 })
    expect([zero.currentAdherence, zero.potentialAdherence, zero.potentialScripts]).toEqual([0, 0, 12_000])
  })

  test('without scripts there is no revenue', () => {
    const empty = { coveredDays: 0, observedDays: 0, measuredScripts: 0, totalScripts: 0, revenue: 0 }
    const result = opportunity({ ...empty, adherenceAdjustment: 5, priceAdjustment: 1 })
    expect(result.potentialRevenue).toBe(0)
  })
})
