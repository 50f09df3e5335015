import { GAP_DAYS, LOOK_BACK_DAYS, stayed } from '../dispensing/persistence.ts'
import type { Followed } from '../figure/kaplan-meier.ts'
import type { Day } from '../time/day.ts'
import type { Course } from './course.ts'

/** A medicine that was begun, and how long it was taken. */
export interface Start extends Followed {
  readonly on: Day
}

/** The longest anybody is followed, in days. */
export const MOST_FOLLOWED_DAYS = 365
/** Data up to this many days after a start can still change how long it was followed. */
export const FOLLOWED_WITHIN_DAYS = MOST_FOLLOWED_DAYS + GAP_DAYS + 1

/**
 * The starts of a medicine: a supply made here, with none here or elsewhere in the 365 days before, and 365 days of data before. Each is followed
 * up to running out before the first gap of more than 90 days, with early refills used later; at most to a death, a switch to another medicine,
 * the end of the data, or 365 days.
 * @param dataFrom first day of the pharmacy's data
 * @param dataTo last day of the pharmacy's data
 */
export function startsOfCourse(course: Course, dataFrom: Day, dataTo: Day): Start[] {
  const { day, cents } = course
  const starts: Start[] = []
  for (let at = 0; at < day.length && (day[at] as Day) <= dataTo; at++) {
    const on = day[at] as Day
    if (at > 0 && on - (day[at - 1] as Day) <= LOOK_BACK_DAYS) continue
    if (on - dataFrom < LOOK_BACK_DAYS) continue
    // Of the supplies on the first day, at least one must have been made here.
    let here = false
    for (let same = at; day[same] === on; same++) here ||= (cents[same] as number) >= 0
    if (here) starts.push({ on, ...followedFrom(course, at, dataTo) })
  }
  return starts
}

function followedFrom(course: Course, first: number, last: Day): Followed {
  const { died, replaced } = course.endings
  const all = stayed(course, first, { last, died, switches: replaced })
  return all.days > MOST_FOLLOWED_DAYS ? { days: MOST_FOLLOWED_DAYS, stopped: false } : all
}
