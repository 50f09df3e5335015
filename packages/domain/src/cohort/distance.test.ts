import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceKm, EARTH_RADIUS_KM, KM_PER_MILE } from './distance.ts'

const sydney = { latitude: -33.8688, longitude: 151.2093 }
const melbourne = { latitude: -37.8136, longitude: 144.9631 }

test('known distances', () => {
  expect(KM_PER_MILE).toBe(1.609344)
  expect(distanceKm(sydney, melbourne)).toBeCloseTo(713.4, 0)
  expect(distanceKm({ latitude: 0, longitude: 0 }, { latitude: 1, longitude: 0 })).toBeCloseTo(111.195, 2)
  expect(distanceKm({ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 })).toBeCloseTo(111.195, 2)
  expect(distanceKm({ latitude: 90, longitude: 0 }, { latitude: -90, longitude: 77 })).toBeCloseTo(
    Math.PI * EARTH_RADIUS_KM,
    6,
  )
})

test('property: symmetric, zero only at the same place, at most half the circumference', () => {
  const place = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  })
  fc.assert(
    fc.property(place, place, (a, b) => {
      const there = distanceKm(a, b)
      expect(there).toBeCloseTo(distanceKm(b, a), 6)
      expect(there).toBeGreaterThanOrEqual(0)
      expect(there).toBeLessThanOrEqual(Math.PI * EARTH_RADIUS_KM + 1e-6)
      expect(distanceKm(a, a)).toBe(0)
    }),
  )
})
