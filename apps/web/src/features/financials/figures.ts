import type { Cell, EXPLAINABLE, Statistic } from '@pillar/contract/financials'
import { TOTAL } from '@pillar/domain/dispensing/category'
import type { Day } from '@pillar/domain/time/day'
import { weekday } from '@pillar/domain/time/day'
import {
  type Country,
  formatDate,
  formatMoney,
  formatMoneyCompact,
  formatNumber,
  formatPercent,
} from '@pillar/domain/time/locale'
import { NAME_FIELD } from './search.ts'

export type Explainable = (typeof EXPLAINABLE)[number]
export type Tone = 'good' | 'bad' | 'plain'

/** Stands where there is no number. */
export const NONE = '–'
/** A difference from the average is coloured only beyond this. */
export const NOTABLE = 0.05

export interface Figure {
  readonly figure: string
  readonly context: string
  readonly tone: Tone
}

/**
 * The value a statistic sorts by, rounded as the exported file has it so that both keep the same order: money to the cent,
 * shares to a hundredth of a percent. Null where there is none.
 */
export function statisticValue(statistic: Statistic, cell: Cell | undefined): number | null {
  const value = cell ? rawValue(statistic, cell) : null
  if (value === null) return null
  const share = statistic === 'Adherence' || statistic === 'Loyalty'
  return Number((share ? value * 100 : value).toFixed(2))
}

function rawValue(statistic: Statistic, cell: Cell): number | null {
  if (statistic === 'Revenue') return cell.revenue_value
  if (statistic === 'Number of Scripts') return cell.script_count
  return statistic === 'Adherence' ? cell.adherent_script_percent : cell.loyalty_script_percent
}

/** The number that explains a statistic's figure. */
export function numberOf(statistic: Statistic): Explainable {
  if (statistic === 'Revenue') return 'revenue_value'
  if (statistic === 'Number of Scripts') return 'script_count'
  return statistic === 'Adherence' ? 'adherent_script_percent' : 'loyalty_script_percent'
}

const money = (country: Country, value: number | null) => (value === null ? NONE : formatMoney(country, value))
const percent = (country: Country, value: number | null) => (value === null ? NONE : formatPercent(country, value))

/** '1,234 scripts', '1 script', '–'. */
export function scriptsText(country: Country, count: number | null): string {
  if (count === null) return NONE
  const text = formatNumber(country, count)
  return `${text} ${text === '1' ? 'script' : 'scripts'}`
}

/** How a share lies against the product average: '5.12% above avg', '0.40% below avg'; coloured beyond 5%. */
function against(country: Country, difference: number | null): Pick<Figure, 'context' | 'tone'> {
  if (difference === null) return { context: '', tone: 'plain' }
  const size = formatPercent(country, Math.abs(difference))
  if (size === '0.00%') return { context: 'as average', tone: 'plain' }
  const tone = Math.abs(difference) <= NOTABLE ? 'plain' : difference > 0 ? 'good' : 'bad'
  return { context: `${size} ${difference > 0 ? 'above' : 'below'} avg`, tone }
}

/** The figure of a cell over its context: revenue over scripts, scripts over revenue, a share over its distance from the average. */
export function figureOf(country: Country, statistic: Statistic, cell: Cell | undefined): Figure {
  if (!cell) return { figure: NONE, context: '', tone: 'plain' }
  if (statistic === 'Revenue') {
    return {
      figure: money(country, cell.revenue_value),
      context: scriptsText(country, cell.script_count),
      tone: 'plain',
    }
  }
  if (statistic === 'Number of Scripts') {
    const figure = cell.script_count === null ? NONE : formatNumber(country, cell.script_count)
    return { figure, context: money(country, cell.revenue_value), tone: 'plain' }
  }
  return statistic === 'Adherence'
    ? { figure: percent(country, cell.adherent_script_percent), ...against(country, cell.adherence_performance) }
    : { figure: percent(country, cell.loyalty_script_percent), ...against(country, cell.loyalty_performance) }
}

/** A headline or explained number by its unit. Money in full, or short on a card. */
export function unitText(
  country: Country,
  unit: 'count' | 'money' | 'fraction',
  value: number | null,
  style: 'full' | 'short' = 'full',
): string {
  if (value === null) return NONE
  if (unit === 'fraction') return formatPercent(country, value)
  if (unit === 'count') return formatNumber(country, value)
  return style === 'short' ? formatMoneyCompact(country, value) : formatMoney(country, value)
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** 'Thu 19 Nov 2026'. */
export function dayText(country: Country, value: Day): string {
  return `${WEEKDAYS[weekday(value) - 1]} ${formatDate(country, value)}`
}

/** '11 Nov' within the year of `today`, with the year otherwise. */
export function shortDay(country: Country, value: Day, today: Day): string {
  const full = formatDate(country, value)
  const year = formatDate(country, today).slice(-4)
  if (!full.endsWith(year)) return full
  return full.slice(0, -4).replace(/[ ,]+$/, '')
}

interface Row {
  readonly pharmacy_name: string
}

const names = new Intl.Collator('en')

/** The order of two names, the same for the screen and the exported file. */
export const compareNames = names.compare

/** Rows in name order, the order ties keep. */
export function byName<T extends Row>(rows: readonly T[]): T[] {
  return [...rows].sort((a, b) => names.compare(a.pharmacy_name, b.pharmacy_name))
}

/** A column's head: the first one says what it is over ('All drug types'). */
export function columnLabel(category: string, field: string): string {
  if (field === NAME_FIELD) return 'Pharmacy'
  if (field !== TOTAL) return field
  return `All ${plural(category)}`
}

/** 'drug types', 'age groups', 'sexes': the group's name for several of its parts. */
export function plural(category: string): string {
  const name = category.toLowerCase()
  if (name === 'sex') return 'sexes'
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`
}

/** A state of the upload machine as a sentence has it: 'COMPLETED' is 'Completed', 'Never uploaded' stays. */
export function statusText(status: string): string {
  const words = status.replaceAll('_', ' ')
  return words === words.toUpperCase() ? words.charAt(0) + words.slice(1).toLowerCase() : words
}
