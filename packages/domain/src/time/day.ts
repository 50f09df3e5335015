/**
 * A Day is a whole number of days since 1970-01-01 in the civil calendar: no clock, no zone. Every rule about dates
 * counts in Days, so that differences are plain subtractions and SQL (`date - date`) gives the same answers.
 */
export type Day = number

const DAY_MS = 86_400_000
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/

export interface YearMonthDay {
  readonly year: number
  /** 1..12 */
  readonly month: number
  /** 1..31 */
  readonly day: number
}

/**
 * The Day of a civil date. A month outside 1..12 or a day outside its month rolls over, so day 0 is the last day of the previous month. Years
 * 1000..9999.
 */
export function fromYmd(year: number, month: number, day: number): Day {
  return Date.UTC(year, month - 1, day) / DAY_MS
}

/** Days from 1 March of the year 0, where the calendar below begins, to 1970-01-01; days of 400, 100 and 4 years. */
const [TO_1970, OF_400, OF_100, OF_4] = [719_468, 146_097, 36_524, 1_461]

/**
 * Year, month and day of the month of a Day. Calculated instead of using a Date, which takes three times as long. Years begin in March here, so
 * that a leap day is the last of its year (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
 */
export function toYmd(day: Day): YearMonthDay {
  const since = day + TO_1970
  const of400 = Math.floor(since / OF_400)
  const at = since - of400 * OF_400
  const leaps = Math.floor(at / (OF_4 - 1)) - Math.floor(at / OF_100) + Math.floor(at / (OF_400 - 1))
  const year = Math.floor((at - leaps) / 365)
  const dayOfYear = at - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  // The five months from March have 153 days, and so have the next five.
  const month = Math.floor((5 * dayOfYear + 2) / 153)
  return {
    year: year + of400 * 400 + (month < 10 ? 0 : 1),
    month: month < 10 ? month + 3 : month - 9,
    day: dayOfYear - Math.floor((153 * month + 2) / 5) + 1,
  }
}

/** Reads `YYYY-MM-DD`; null for any other text and for invalid dates, such as 2025-02-29. */
export function parseDay(text: string): Day | null {
  const match = ISO_DATE.exec(text)
  if (!match) return null
  const year = Number(match[1])
  const month = Number(match[2])
  const dayOfMonth = Number(match[3])
  // Date.UTC reads the years 0..99 as 1900..1999; no record is that old.
  if (year < 1000) return null
  const day = fromYmd(year, month, dayOfMonth)
  const back = toYmd(day)
  return back.year === year && back.month === month && back.day === dayOfMonth ? day : null
}

/** Reads a `YYYY-MM-DD` known to be valid; throws a RangeError with the text if it is not. */
export function day(text: string): Day {
  const parsed = parseDay(text)
  if (parsed === null) throw new RangeError(`Not a date: ${text}`)
  return parsed
}

/** `YYYY-MM-DD` of a Day. */
export function formatDay(value: Day): string {
  return new Date(value * DAY_MS).toISOString().slice(0, 10)
}

/** Day of the week, 1 Monday to 7 Sunday, as ISO 8601 counts. */
export function weekday(value: Day): number {
  // 1970-01-01 was a Thursday.
  return ((((value + 3) % 7) + 7) % 7) + 1
}

/** The number of days of a month. */
export function daysInMonth(year: number, month: number): number {
  return toYmd(fromYmd(year, month + 1, 0)).day
}

/** The same date this many months later (earlier when negative); a day the month lacks becomes its last day. */
export function addMonths(value: Day, months: number): Day {
  const { year, month, day: dayOfMonth } = toYmd(value)
  const index = year * 12 + (month - 1) + months
  const toYear = Math.floor(index / 12)
  const toMonth = index - toYear * 12 + 1
  return fromYmd(toYear, toMonth, Math.min(dayOfMonth, daysInMonth(toYear, toMonth)))
}

/** The same date one year earlier; 29 February becomes 28 February. */
export function yearBack(value: Day): Day {
  return addMonths(value, -12)
}

/** Completed years from a date of birth to a day; someone born on 29 February turns on 1 March. Null when born later. */
export function ageOn(born: Day, on: Day): number | null {
  if (born > on) return null
  const from = toYmd(born)
  const to = toYmd(on)
  const before = to.month < from.month || (to.month === from.month && to.day < from.day)
  return to.year - from.year - (before ? 1 : 0)
}
