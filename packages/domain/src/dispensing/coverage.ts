import type { Day } from '../time/day.ts'
import { carryInFrom, type Window } from './adherence.ts'

/** One supply of a molecule: the day it was dispensed and how many days it lasts (1..365). */
export interface Supply {
  readonly date: Day
  readonly days: number
}

export interface Coverage {
  readonly coveredDays: number
  readonly observedDays: number
  /** coveredDays / observedDays, 0..1; null when no day is observed. */
  readonly pdc: number | null
}

/**
 * Proportion of days covered, counted day by day: an early refill waits until the previous supply is used up, each day
 * counts once, supplies up to 365 days before the window carry in. Slow and simple: tests compare the closed form with it.
 * @reference
 */
export function pdcNaive(supplies: readonly Supply[], window: Window): Coverage {
  const used = supplies
    .filter((supply) => supply.date >= carryInFrom(window.from) && supply.date <= window.to)
    .sort((a, b) => a.date - b.date)
  const covered = new Set<Day>()
  let nextFree = Number.NEGATIVE_INFINITY
  for (const supply of used) {
    const start = Math.max(supply.date, nextFree)
    for (let day = start; day < start + supply.days; day++) covered.add(day)
    nextFree = start + supply.days
  }
  let count = 0
  for (let day = window.from; day <= window.to; day++) if (covered.has(day)) count++
  return coverage(count, window)
}

/**
 * Proportion of days covered in closed form, as the SQL computes it. Covered days up to a day are the days supplied so
 * far less the days still in stock at its end; a window is the difference of two such counts.
 * @reference
 */
export function pdc(supplies: readonly Supply[], window: Window): Coverage {
  const used = supplies.filter((supply) => supply.date >= carryInFrom(window.from)).sort((a, b) => a.date - b.date)
  return coverage(coveredUpTo(used, window.to) - coveredUpTo(used, window.from - 1), window)
}

/**
 * Days covered up to the end of day x. For supplies in order, D = running sum of days and m = date less the previous
 * sum; the last covered day is max(m) + D - 1, so the stock left at x is max(0, max(m) + D - 1 - x).
 */
function coveredUpTo(ordered: readonly Supply[], x: Day): number {
  let sum = 0
  let latest = Number.NEGATIVE_INFINITY
  for (const supply of ordered) {
    if (supply.date > x) break
    latest = Math.max(latest, supply.date - sum)
    sum += supply.days
  }
  return sum - Math.max(0, latest + sum - 1 - x)
}

function coverage(coveredDays: number, window: Window): Coverage {
  const observedDays = Math.max(0, window.to - window.from + 1)
  return { coveredDays, observedDays, pdc: observedDays === 0 ? null : coveredDays / observedDays }
}
