import { readFileSync } from 'node:fs'
import { type Day, day as dayOf, formatDay } from '@pillar/domain/time/day'
import { type Holiday, holidayRegion, holidaysIn, parseHolidays } from '@pillar/domain/time/holiday'
import type { Country } from '@pillar/domain/time/locale'
import type { LocalCalendar } from '@pillar/domain/time/quiet-hours'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'

const FILE = new URL('../../data/holidays.csv', import.meta.url)

let list: readonly Holiday[] | null = null
const holidays = (): readonly Holiday[] => {
  list ??= parseHolidays(readFileSync(FILE, 'utf8'))
  return list
}

/** A pharmacy's place, from its address. */
export interface CalendarPlace {
  country: Country
  region: string | null
  postcode: string | null
  time_zone: string
}

const calendars = new Map<string, LocalCalendar>()

/** The clock and public holidays of a pharmacy. Pharmacies of one zone and region share the same object. */
export function calendarOf({ country, region, postcode, time_zone }: CalendarPlace): LocalCalendar {
  const code = holidayRegion(country, region, postcode)
  const key = `${country} ${code ?? ''} ${time_zone}`
  const known = calendars.get(key) ?? { zone: time_zone, holidays: holidaysIn(holidays(), country, code) }
  calendars.set(key, known)
  return known
}

/** The last day for which a country's public holidays are known: the end of the newest year listed; null if none is. */
export function holidaysKnownTo(country: Country): string | null {
  const days: Day[] = holidays().flatMap((one) => (one.country === country ? [one.day] : []))
  return days.length === 0 ? null : `${formatDay(Math.max(...days)).slice(0, 4)}-12-31`
}

/**
 * The number of days after today for which a country's public holidays are known; below 0 once the list has ended, minus infinity without
 * one.
 */
export function holidayDaysLeft(country: Country, now: Date): number {
  const known = holidaysKnownTo(country)
  return known === null ? Number.NEGATIVE_INFINITY : dayOf(known) - dayIn(zoneOf(country, null), now)
}
