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
 * counts once, supplies up to 365 days before the window carry in. Closed days (closedDays) are neither observed nor covered, but
 * stock runs down in them as usual. Slow and simple: tests compare the real measurement (measure/course.ts) with it.
 * @reference
 */
export function pdcNaive(supplies: readonly Supply[], window: Window, closed: readonly Window[] = []): Coverage {
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
  let observed = 0
  for (let day = window.from; day <= window.to; day++) {
    if (closed.some(({ from, to }) => day >= from && day <= to)) continue
    observed++
    if (covered.has(day)) count++
  }
  return coverage(count, observed)
}

function coverage(coveredDays: number, observedDays: number): Coverage {
  return { coveredDays, observedDays, pdc: observedDays === 0 ? null : coveredDays / observedDays }
}
