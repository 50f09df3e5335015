import fc from 'fast-check'
import { expect, it } from 'vitest'
import { endsOf, kaplanMeier, survivalOn } from './kaplan-meier.ts'
import { persistenceOf } from './persistence.ts'

const people = fc.array(fc.record({ days: fc.integer({ min: 0, max: 365 }), stopped: fc.boolean() }), {
  maxLength: 120,
})

it('property: a curve pooled from the counts of pharmacies equals that of all their people', () => {
  fc.assert(
    fc.property(people, fc.integer({ min: 1, max: 5 }), (all, pharmacies) => {
      const apart = Array.from({ length: pharmacies }, (_, at) => endsOf(all.filter((_, n) => n % pharmacies === at)))
      const { starts, steps, points, until } = persistenceOf(apart.flat())
      expect(starts).toBe(all.length)
      if (all.length < 10) {
        expect([steps, points, until]).toEqual([[], [], null])
        return
      }
      const whole = kaplanMeier(all)
      expect(steps).toEqual(whole)
      for (const { day, at_risk, ...point } of points) {
        expect(at_risk).toBe(all.filter((one) => one.days >= day).length)
        expect(at_risk).toBeGreaterThanOrEqual(10)
        expect(point).toEqual(survivalOn(whole, day))
      }
      const told = [30, 90, 180, 365].filter((day) => all.filter((one) => one.days >= day).length >= 10)
      expect(points.map((one) => one.day)).toEqual(told)
    }),
  )
})

it('reaches to the last day on which 10 are followed', () => {
  const ends = [
    { day: 40, stopped: 2, lost: 0 },
    { day: 100, stopped: 1, lost: 0 },
    { day: 200, stopped: 9, lost: 0 },
  ]
  expect(persistenceOf(ends)).toMatchObject({ starts: 12, until: 100 })
})

it('shows nothing for fewer than 10', () => {
  expect(persistenceOf([{ day: 30, stopped: 9, lost: 0 }])).toEqual({ starts: 9, points: [], steps: [], until: null })
})
