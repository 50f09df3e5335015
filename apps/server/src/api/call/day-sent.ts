import { Refusal } from '@pillar/contract'
import type { Day } from '@pillar/domain/time/day'
import { dayIn, sentDay } from '@pillar/domain/time/zone'

/**
 * The civil day of a date in a request: a day with or without its own time, or an instant converted to the zone; null if there is none.
 * @throws Refusal invalid if it is not a day, or lies outside the years 1000 to 9999
 */
export function dayFrom(text: string, zone: string): Day
export function dayFrom(text: string | null | undefined, zone: string): Day | null
export function dayFrom(text: string | null | undefined, zone: string): Day | null {
  if (text == null) return null
  const day = sentDay(text, zone)
  if (day === null) throw new Refusal('invalid', `Please enter another date than ${text}.`)
  return day
}

/** A day of 25 hours, when clocks go back. */
const LONGEST_DAY_MS = 25 * 3_600_000

/**
 * The day on which something starts. A client that starts it today sends the midnight before, by its own clock: west of the company's zone that
 * still lies on the company's yesterday in the evening, and means the company's today.
 * @throws Refusal as `dayFrom`
 */
export function startDayFrom(text: string | null | undefined, zone: string, now: Date): Day | null {
  const day = dayFrom(text, zone)
  if (text == null || day === null || !/T.*(Z|[+-]\d\d:?\d\d)$/.test(text)) return day
  const ago = now.getTime() - new Date(text).getTime()
  return ago >= 0 && ago < LONGEST_DAY_MS ? dayIn(zone, now) : day
}
