import { INACTIVE_DAYS, MIN_DAYS_SINCE_FIRST, WINDOW_DAYS } from '../dispensing/adherence.ts'
import type { Day } from '../time/day.ts'
import { type Course, upTo } from './course.ts'

/** A medicine can be lapsed only if it was measured on one of this many days up to `t`. */
export const LAPSED_WITHIN_DAYS = 730

/**
 * Whether a medicine has lapsed at day `t`: it was measured on one of the last 730 days, and not supplied in the last 365, here or elsewhere.
 * A death, a switch to another medicine or a recorded cessation rules it out.
 * @param visits days on which the person was supplied anything here, ascending
 */
export function hasLapsed(course: Course, visits: ArrayLike<Day>, t: Day): boolean {
  const { day, closed, endings } = course
  const last = day[upTo(day, t) - 1]
  if (last === undefined || t - last < WINDOW_DAYS) return false
  if (endings.died !== null && endings.died <= t) return false
  if (endings.replaced.some((one) => one > last && one <= t)) return false
  if (closed.some(({ from, to }) => from <= t && to >= t)) return false
  return wasMeasured(course, visits, t)
}

/**
 * Whether, on some day of the 730 up to `t`, the person was active, the first supply was at least 90 days back, and supplies had been made here
 * on two different days of that day's window.
 */
function wasMeasured({ first, day, cents }: Course, visits: ArrayLike<Day>, t: Day): boolean {
  let before: Day | null = null
  for (let at = 0; at < day.length && (day[at] as Day) <= t; at++) {
    const supplied = day[at] as Day
    if ((cents[at] as number) < 0 || supplied === before) continue
    if (before !== null) {
      const from = Math.max(supplied, first + MIN_DAYS_SINCE_FIRST, t - LAPSED_WITHIN_DAYS + 1)
      const to = Math.min(before + WINDOW_DAYS - 1, t)
      if (from <= to && wasActive(visits, from, to)) return true
    }
    before = supplied
  }
  return false
}

/** Whether a person was active on some day of a span. */
function wasActive(visits: ArrayLike<Day>, from: Day, to: Day): boolean {
  for (let at = visits.length - 1; at >= 0; at--) {
    const visit = visits[at] as Day
    if (visit <= to) return visit > from - INACTIVE_DAYS
  }
  return false
}
