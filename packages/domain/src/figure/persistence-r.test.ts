import { expect, it } from 'vitest'
import { endsOf } from './kaplan-meier.ts'
import { persistenceOf } from './persistence.ts'

/**
 * Day, share, lower and upper bound, at risk, printed to 15 digits by R 4.2.2 with survival 3.5-3:
 * i <- 0:499; days <- pmin((i * i * 7 + i * 13) %% 577 + 1, 365)
 * stopped <- ((i * 7) %% 5 != 0) & days < 365 | (i %% 50 == 0)
 * summary(survfit(Surv(days, stopped) ~ 1, conf.type = "log-log"), times = c(30, 90, 180, 365))
 */
const VECTORS: readonly (readonly [number, number, number, number, number])[] = [
  [30, 0.95571096325442, 0.933511153844002, 0.970614856442811, 471],
  [90, 0.874134455223239, 0.841484679071539, 0.900458937099087, 424],
  [180, 0.763561476455415, 0.723166438055777, 0.798897517097556, 364],
  [365, 0.450660684675615, 0.404278564093675, 0.495863196309481, 191],
]

const people = Array.from({ length: 500 }, (_, i) => {
  const days = Math.min(((i * i * 7 + i * 13) % 577) + 1, 365)
  return { days, stopped: ((i * 7) % 5 !== 0 && days < 365) || i % 50 === 0 }
})

it.each(VECTORS)('with 500 people, day %d agrees with R', (day, share, low, high, at_risk) => {
  // Kept as counts by three pharmacies.
  const counts = [0, 1, 2].flatMap((at) => endsOf(people.filter((_, i) => i % 3 === at)))
  const point = persistenceOf(counts).points.find((one) => one.day === day)!
  expect(point.at_risk).toBe(at_risk)
  expect(Math.abs(point.share - share)).toBeLessThan(1e-9)
  expect(Math.abs(point.low! - low)).toBeLessThan(1e-9)
  expect(Math.abs(point.high! - high)).toBeLessThan(1e-9)
})
