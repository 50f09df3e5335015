import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wilson } from './interval.ts'

/**
 * Successes, trials, lower and upper bound, printed to 15 digits by base R 4.2.2:
 * for (k in cases) prop.test(k[1], k[2], correct = FALSE)$conf.int
 */
const VECTORS: readonly (readonly [number, number, number, number])[] = [
  [0, 10, 0, 0.277532799862889],
  [1, 10, 0.0178762130950729, 0.404150026795238],
  [5, 10, 0.236593090512564, 0.763406909487436],
  [9, 10, 0.595849973204762, 0.982123786904927],
  [10, 10, 0.722467200137111, 1],
  [0, 1, 0, 0.793450685622763],
  [1, 1, 0.206549314377238, 1],
  [0, 30, 0, 0.113513393173969],
  [7, 30, 0.117923881444895, 0.409283261581222],
  [15, 30, 0.331541256405338, 0.668458743594662],
  [29, 30, 0.833296090085908, 0.994091409618387],
  [30, 30, 0.886486606826031, 1],
  [26, 34, 0.600038620774636, 0.875630144673604],
  [81, 263, 0.255288519878274, 0.3662095769828],
  [15, 148, 0.0623863995307363, 0.160487241723308],
  [250, 300, 0.787003350387317, 0.871234668796319],
  [12.5, 34, 0.226872248342745, 0.535293368933135],
  [35.91, 57, 0.500198224390308, 0.743385678547917],
  [6710, 10000, 0.66172698008715, 0.680141692470079],
  [608001, 1000000, 0.607043739388227, 0.608957430852172],
  [9, 30, 0.166647482682438, 0.47875787458715],
  [61, 100, 0.512030170458407, 0.699831259936056],
  [612, 1000, 0.581423924576421, 0.641718881522814],
  [7803, 10000, 0.772078108706655, 0.788306621806744],
  [3, 11, 0.097460592900249, 0.565645301176129],
  [199, 263, 0.701341607994596, 0.804576777389117],
  [40, 52, 0.638662174419002, 0.862757390745073],
  [0, 25, 0, 0.133192250939048],
  [25, 25, 0.866807749060952, 1],
]

test.each(VECTORS)('the bounds of %d of %d agree with R', (successes, n, low, high) => {
  const interval = wilson(successes / n, n)
  expect(Math.abs(interval.low - low)).toBeLessThan(1e-9)
  expect(Math.abs(interval.high - high)).toBeLessThan(1e-9)
})

test('81 of 263 is 0.2553 to 0.3662, as in Newcombe, Statistics in Medicine 17 (1998) 857', () => {
  const { low, high } = wilson(81 / 263, 263)
  expect([low.toFixed(4), high.toFixed(4)]).toEqual(['0.2553', '0.3662'])
})

test('property: contains the share, stays within 0 and 1, narrows with more observations, mirrors', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(share, fc.integer({ min: 1, max: 1e6 }), (value, n) => {
      const { low, high } = wilson(value, n)
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeLessThanOrEqual(1)
      expect(low).toBeLessThanOrEqual(value)
      expect(high).toBeGreaterThanOrEqual(value)
      const more = wilson(value, n + 1)
      expect(more.high - more.low).toBeLessThanOrEqual(high - low)
      const mirror = wilson(1 - value, n)
      expect(mirror.low).toBeCloseTo(1 - high, 9)
      expect(mirror.high).toBeCloseTo(1 - low, 9)
    }),
  )
})
