import { Refusal } from '@pillar/contract'
import type { Day } from '@pillar/domain/time/day'
import { sentDay } from '@pillar/domain/time/zone'

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
