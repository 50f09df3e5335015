import { describe, expect, it } from 'vitest'
import { demoNetwork } from './network.ts'
import { uploadsOf } from './uploads.ts'

const small = demoNetwork('small', 1, '2026-11-19')
const large = demoNetwork('large', 1, '2026-11-19')

describe('demoNetwork', () => {
  it('has the main company with the promised behaviours, its rival, and small ones', () => {
    const sizes = small.companies.map((company) => [company.name, company.pharmacies.length] as const)
    expect(sizes.slice(0, 2)).toEqual([
      ['Saltbush Pharmacy Group', 24],
      ['Wattle & Co', 3],
    ])
    expect(sizes.slice(2).map(([, count]) => count)).toEqual([2, 1, 1, 2, 1, 1, 2, 1, 1])
    const count = (behaviour: string) => small.pharmacies.filter((one) => one.behaviour === behaviour).length
    expect([count('late'), count('never'), count('failed')]).toEqual([2, 1, 1])
    expect(large.companies[0]?.pharmacies).toHaveLength(200)
  })

  it('ends yesterday, and earlier for late pharmacies', () => {
    expect([small.from, small.to]).toEqual(['2024-05-19', '2026-11-18'])
    const late = small.pharmacies.filter((one) => one.behaviour === 'late').map((one) => one.last_day)
    expect(late.sort()).toEqual(['2026-11-06', '2026-11-12'])
  })

  it('names every pharmacy once and gives it a position in the list', () => {
    for (const network of [small, large]) {
      expect(new Set(network.pharmacies.map((one) => one.slug)).size).toBe(network.pharmacies.length)
      expect(network.pharmacies.map((one) => one.index)).toEqual(network.pharmacies.map((_, i) => i))
      for (const one of network.pharmacies) {
        expect(one.postcode).toMatch(/^\d{4}$/)
        expect(one.phone_number).toMatch(/^\(0[2378]\) (5550|7010) \d{4}$/)
        expect(one.latitude).toBeLessThan(-9)
        expect(one.longitude).toBeGreaterThan(112)
      }
    }
  })

  it('leaves neither head office alone with one large company', () => {
    for (const asker of ['Saltbush Pharmacy Group', 'Wattle & Co']) {
      const others = small.companies.filter((company) => company.name !== asker)
      const sums = others.map((company) => company.pharmacies.reduce((sum, one) => sum + one.scripts, 0))
      expect(Math.max(...sums)).toBeLessThan(sums.reduce((sum, one) => sum + one, 0) / 2)
    }
  })

  it('gives every pharmacy of a small company enough scripts for comparison, in every size', () => {
    for (const network of [demoNetwork('tiny', 1, '2026-11-19'), small, large]) {
      const months = network === large ? 60 : 30
      const own = network.companies.slice(2).flatMap((company) => company.pharmacies)
      expect(own.every((one) => one.scripts / months / 22 > 6)).toBe(true)
    }
  })

  it('spreads the scripts of the target over the pharmacies that upload', () => {
    for (const [network, target] of [
      [small, 100_000],
      [large, 20_000_000],
    ] as const) {
      const main = network.companies[0]?.pharmacies.filter((one) => one.behaviour !== 'never') ?? []
      expect(main.reduce((sum, one) => sum + one.scripts, 0)).toBeCloseTo(target, -3)
    }
  })

  it('is the same for the same arguments and different for another seed', () => {
    expect(demoNetwork('small', 1, '2026-11-19')).toEqual(small)
    expect(demoNetwork('small', 2, '2026-11-19').pharmacies).not.toEqual(small.pharmacies)
  })

  it('gives eight people access, one of them from the other company', () => {
    expect(small.people.map((one) => one.username)).toEqual(
      'headoffice guild supplier advertiser trials controlled support rival'.split(' '),
    )
    expect(small.people[0]).toMatchObject({
      email: 'helen.kowalski@saltbush.example',
      flags: ['data_analytics', 'sixty_day_signup'],
    })
    expect(small.people.filter((one) => one.company === 'Wattle & Co')).toHaveLength(1)
  })
})

describe('uploadsOf', () => {
  it('plans one upload, none for never, a good and a faulty one for failed', () => {
    const plan = (behaviour: string) =>
      uploadsOf(small, small.pharmacies.find((one) => one.behaviour === behaviour)?.index ?? -1)
    expect(plan('ok')).toEqual([{ initial: true, range: { from: '2024-05-19', to: '2026-11-18', faulty: false } }])
    expect(plan('never')).toEqual([])
    expect(plan('failed').map(({ range }) => range)).toEqual([
      { from: '2024-05-19', to: '2026-11-04', faulty: false },
      { from: '2026-11-05', to: '2026-11-18', faulty: true },
    ])
    expect(() => uploadsOf(small, 99)).toThrow(RangeError)
  })
})
