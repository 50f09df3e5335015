import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'

/** Days are integers since 1970-01-01. This file knows weekdays, public holidays and when a demo pharmacy is open. */
const DAY_MS = 86_400_000

export function dayOf(iso: string): number {
  const ms = Date.parse(`${iso}T00:00:00Z`)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso) || Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== iso)
    throw new Error(`Not a date: ${iso}`)
  return ms / DAY_MS
}

const isoTexts = new Map<number, string>()

/** ISO text of a day; cached, because millions of rows share a few thousand days. */
export function isoOf(day: number): string {
  let text = isoTexts.get(day)
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, 10)
    isoTexts.set(day, text)
  }
  return text
}

/** The present day in the demo network's zone, ISO. Its data end on the day before. */
export const networkToday = (now: Date): string => formatDay(dayIn('Australia/Sydney', now))

/** 0 Sunday .. 6 Saturday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

export function yearOf(day: number): number {
  return Number(isoOf(day).slice(0, 4))
}

/** 1..12. */
export function monthOf(day: number): number {
  return Number(isoOf(day).slice(5, 7))
}

/** Easter Sunday by the anonymous Gregorian method. */
export function easterOf(year: number): number {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  return dayOf(`${year}-${String(Math.floor(n / 31)).padStart(2, '0')}-${String((n % 31) + 1).padStart(2, '0')}`)
}

const holidays = new Map<number, Set<number>>()

/** National public holidays of a year; 26 January is observed on the Monday if it falls on a weekend. */
function holidaysOf(year: number): Set<number> {
  let days = holidays.get(year)
  if (!days) {
    const easter = easterOf(year)
    let australiaDay = dayOf(`${year}-01-26`)
    while (weekdayOf(australiaDay) % 6 === 0) australiaDay++
    const fixed = ['01-01', '04-25', '12-25', '12-26'].map((date) => dayOf(`${year}-${date}`))
    days = new Set([...fixed, australiaDay, easter - 2, easter + 1])
    holidays.set(year, days)
  }
  return days
}

export function isHoliday(day: number): boolean {
  return holidaysOf(yearOf(day)).has(day)
}

/** The n-th business day (Monday to Friday, not a holiday) before a day. */
export function businessDaysBefore(day: number, n: number): number {
  let at = day
  for (let left = n; left > 0; ) {
    at--
    if (weekdayOf(at) % 6 !== 0 && !isHoliday(at)) left--
  }
  return at
}

export interface OpeningHabits {
  readonly sunday: boolean
  readonly holidays: boolean
}

// Patients who do not come on one day come on a later one, so Monday also gets the weekend's without needing a high value.
const BUSYNESS = [0.25, 0.6, 0.7, 0.75, 0.8, 0.9, 0.6]

/** How likely a patient is to come on a day, 0 (closed) to 1: weekday pattern, holidays, the quiet first half of January. */
export function willingness(day: number, habits: OpeningHabits): number {
  const weekday = weekdayOf(day)
  if (weekday === 0 && !habits.sunday) return 0
  const date = isoOf(day).slice(5)
  if (date === '12-25' || day === easterOf(yearOf(day)) - 2) return 0
  if (isHoliday(day)) return habits.holidays ? 0.2 : 0
  return (BUSYNESS[weekday] ?? 1) * (date < '01-15' ? 0.7 : 1)
}
