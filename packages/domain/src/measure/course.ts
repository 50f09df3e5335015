import {
  CARRY_IN_DAYS,
  closedDays,
  MIN_DAYS_SINCE_FIRST,
  MIN_SUPPLY_DAYS,
  WINDOW_DAYS,
  type Window,
} from '../dispensing/adherence.ts'
import type { Day } from '../time/day.ts'
import { isRefundLine } from './line.ts'
import type { PharmacyRecord } from './record.ts'

/** What ends or closes the days of a pair, apart from its own supplies. */
export interface Endings {
  died: Day | null
  /** Days on which one of its prescriptions was ceased. */
  ceased: readonly Day[]
  /** Days on which a medicine that replaces this one was supplied here, ascending. */
  replaced: readonly Day[]
}

/** A person and a medicine taken continuously: its supplies here and elsewhere, in order of day; none after a death. */
export interface Course {
  readonly pair: number
  /** First supply made here. */
  readonly first: Day
  readonly day: readonly Day[]
  readonly days: readonly number[]
  /** Revenue of a supply made here; -1 for one made elsewhere. */
  readonly cents: readonly number[]
  readonly closed: readonly Window[]
  readonly endings: Endings
}

/**
 * The course of a pair; null when it was never supplied here as a medicine taken continuously.
 * @param elsewhere whether supplies made elsewhere are among its supplies
 */
export function courseOf(record: PharmacyRecord, pair: number, endings: Endings, elsewhere = true): Course | null {
  const { lines, slots } = record
  const day: Day[] = []
  const days: number[] = []
  const cents: number[] = []
  const lastSlot = slots.from[pair + 1] as number
  let slot = elsewhere ? (slots.from[pair] as number) : lastSlot
  let first: Day | null = null
  const end = endings.died ?? Number.POSITIVE_INFINITY
  const takeSlots = (until: Day) => {
    for (; slot < lastSlot && (slots.day[slot] as number) < until; slot++) {
      if (slots.continuous[slot] === 0 || (slots.day[slot] as number) > end) continue
      day.push(slots.day[slot] as number)
      days.push(slots.days[slot] as number)
      cents.push(-1)
    }
  }
  for (let at = record.pairFrom[pair] as number; at < (record.pairFrom[pair + 1] as number); at++) {
    if (lines.continuous[at] === 0 || isRefundLine(lines, at)) continue
    takeSlots(lines.day[at] as number)
    first ??= lines.day[at] as number
    if ((lines.day[at] as number) > end) break
    day.push(lines.day[at] as number)
    days.push(lines.days[at] as number)
    cents.push(lines.cents[at] as number)
  }
  takeSlots(Number.POSITIVE_INFINITY)
  if (first === null) return null
  const closed = endings.ceased.length === 0 ? [] : closedDays(endings.ceased, day)
  return { pair, first, day, days, cents, closed, endings }
}

/** The days of a measured pair in a stretch of time. */
export interface Days {
  observed: number
  covered: number
}

/** A pair measured at a day, with its window and the days in it. */
export interface MeasuredPair extends Days {
  readonly course: Course
  readonly from: Day
  /** The last day observed by any window that ends on the same day; a death or a switch may come earlier. */
  readonly end: Day
}

/** The number of days, in an ascending list, up to and including a day. */
export function upTo(day: readonly Day[], last: Day): number {
  let low = 0
  let high = day.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((day[middle] as number) <= last) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The pair at day `t`, in the window that ends there. Null if it cannot be judged: its first supply is too recent, supplies were made here on
 * fewer than two days of the window, or no day is left to observe. It does not check whether the person is active.
 */
export function measureAt(course: Course, t: Day): MeasuredPair | null {
  const { first, day, cents } = course
  if (first > t - MIN_DAYS_SINCE_FIRST) return null
  const from = Math.max(t - (WINDOW_DAYS - 1), first)
  const supplies = upTo(day, t)
  let made = 0
  let last = Number.NaN
  for (let at = supplies - 1; at >= 0 && (day[at] as number) >= from && made < MIN_SUPPLY_DAYS; at--) {
    if ((cents[at] as number) < 0 || day[at] === last) continue
    last = day[at] as number
    made++
  }
  if (made < MIN_SUPPLY_DAYS) return null
  const end = endOf(course, day[supplies - 1] as number, t)
  const { observed, covered } = daysIn(course, { from, to: t }, end)
  return observed === 0 ? null : { course, from, end, observed, covered }
}

/** Last day observed at `t`: the day of death, or the day before another medicine replaced this one after its last supply. */
function endOf({ endings: { died, replaced } }: Course, lastSupply: Day, t: Day): Day {
  let end = died !== null && died < t ? died : t
  for (const day of replaced) {
    if (day <= lastSupply) continue
    if (day <= t && day - 1 < end) end = day - 1
    break
  }
  return end
}

/**
 * Days observed and covered in a span, from the first supply to `end`. Supplies up to 365 days before carry in, an early refill waits
 * until the one before is used up, each day counts once; closed days are neither observed nor covered.
 */
export function daysIn(course: Course, span: Window, end: Day): Days {
  const { day, days, closed } = course
  const from = Math.max(span.from, course.first)
  const to = Math.min(span.to, end)
  if (to < from) return { observed: 0, covered: 0 }
  const last = upTo(day, span.to)
  let covered = 0
  let free = Number.NEGATIVE_INFINITY
  for (let at = upTo(day, from - CARRY_IN_DAYS - 1); at < last; at++) {
    const start = Math.max(day[at] as number, free)
    free = start + (days[at] as number)
    if (free > from && start <= to) covered += openDays(Math.max(start, from), Math.min(free - 1, to), closed)
  }
  return { observed: openDays(from, to, closed), covered }
}

/** Days from one to another, both included, minus the closed ones. */
function openDays(from: Day, to: Day, closed: readonly Window[]): number {
  let open = to - from + 1
  for (const stretch of closed) {
    const inside = Math.min(to, stretch.to) - Math.max(from, stretch.from) + 1
    if (inside > 0) open -= inside
  }
  return open
}

/** The last observed day of a measured pair's window. */
export function lastObserved({ course, end }: MeasuredPair): Day {
  let last = end
  for (const stretch of course.closed.toReversed())
    if (stretch.from <= last && stretch.to >= last) last = stretch.from - 1
  return last
}

/**
 * The cost of a span's uncovered days, in whole cents: uncovered days times the revenue per supplied day, carry-in included, half a cent rounded
 * up (decision 005: means of days' supply and revenue).
 */
export function opportunityCents(course: Course, span: Window, uncovered: number): number {
  let days = 0
  let cents = 0
  const last = upTo(course.day, span.to)
  for (let at = upTo(course.day, span.from - CARRY_IN_DAYS - 1); at < last; at++) {
    days += course.days[at] as number
    cents += Math.max(0, course.cents[at] as number)
  }
  return days === 0 ? 0 : Math.floor((2 * uncovered * cents + days) / (2 * days))
}
