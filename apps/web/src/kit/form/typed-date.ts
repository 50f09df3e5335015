import type { Country } from '@pillar/domain/time/locale'

const MONTHS = 'january february march april may june july august september october november december'.split(' ')

/**
 * A date typed in the order of the company's country ('1/12/26', '01.12.2026'), with the month's name as Pillar writes it ('1 Dec 2026'), or as
 * '2026-12-01'; null if it is not a date.
 */
export function typedDate(country: Country, typed: string): string | null {
  const parts = typed
    .trim()
    .toLowerCase()
    .split(/[\s.,/-]+/)
  const named = parts.findIndex((part) => monthOf(part) > 0)
  const numbers = parts.filter((_, at) => at !== named).map(Number)
  if (parts.length !== 3 || !numbers.every(Number.isInteger)) return null
  const [a = 0, b = 0, c = 0] = named < 0 ? numbers : [numbers[0], monthOf(parts[named]!), numbers[1]]
  const yearFirst = a > 31
  const [year, month, date] = yearFirst ? [a, b, c] : country === 'US' && named < 0 ? [c, a, b] : [c, b, a]
  const whole = year < 100 ? 2000 + year : year
  const iso = `${String(whole).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
  const real = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(real.getTime()) && real.toISOString().startsWith(iso) ? iso : null
}

/** 12 for 'dec' or 'december', 9 for 'sept'; 0 for what names no month. */
const monthOf = (part: string) => (part.length < 3 ? 0 : MONTHS.findIndex((month) => month.startsWith(part)) + 1)

/** A date in the format of a field: '01/12/2026', month first in the US. */
export function fieldDate(country: Country, iso: string): string {
  const [year, month, date] = iso.slice(0, 10).split('-')
  return country === 'US' ? `${month}/${date}/${year}` : `${date}/${month}/${year}`
}

/** The date format, for a field's placeholder: 'mm/dd/yyyy'. */
export const datePattern = (country: Country): string => (country === 'US' ? 'mm/dd/yyyy' : 'dd/mm/yyyy')

/** 0 for Sunday, 1 for Monday. */
export const firstDayOfWeek = (country: Country): 0 | 1 => (country === 'US' ? 0 : 1)

/** Names of a calendar's arrows, which show no words. */
export const ARROW_NAMES = {
  ...{ previousMonth: 'Previous month', nextMonth: 'Next month' },
  ...{ previousYear: 'Previous year', nextYear: 'Next year' },
  ...{ previousDecade: 'Previous decade', nextDecade: 'Next decade' },
}
