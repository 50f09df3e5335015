import type { EXPLAINABLE } from '@pillar/contract/figure-explain'
import { rateOfChange } from '@pillar/domain/figure/baseline'
import type { FigureUnit } from '@pillar/domain/figure/figure-list'
import type { Statistic } from '@pillar/domain/figure/format'
import type { Day } from '@pillar/domain/time/day'
import { parseDay } from '@pillar/domain/time/day'
import {
  type Country,
  formatChange,
  formatDate,
  formatMoney,
  formatMoneyCompact,
  formatNumber,
  formatPercent,
  withoutYear,
} from '@pillar/domain/time/locale'

export type Explainable = (typeof EXPLAINABLE)[number]
/** Shown if there is no number. */
export const NONE = '–'
/** The number that explains a statistic's figure. */
export function numberOf(statistic: Statistic): Explainable {
  if (statistic === 'Revenue') return 'revenue_value'
  if (statistic === 'Number of Scripts') return 'script_count'
  return statistic === 'Adherence' ? 'adherent_script_percent' : 'loyalty_script_percent'
}

/** A headline or explained number in its unit. Money in full, or short on a card. */
export function unitText(
  country: Country,
  unit: FigureUnit,
  value: number | null,
  style: 'full' | 'short' = 'full',
): string {
  if (value === null) return NONE
  if (unit === 'fraction') return formatPercent(country, value)
  if (unit === 'count') return formatNumber(country, value)
  if (unit === 'rate') return formatNumber(country, value, 2)
  return style === 'short' ? formatMoneyCompact(country, value) : formatMoney(country, value)
}

/** A difference of shares in points, to 2 decimals: '+0.64', '−2.37'. */
export function pointsOf(country: Country, difference: number): string {
  const text = formatNumber(country, difference * 100, 2)
  return difference > 0 && /[1-9]/.test(text) ? `+${text}` : text
}

/** A figure's change in a year: a rate, or for a share the difference. Null if it cannot be calculated. */
export function changeOf(unit: FigureUnit, now: number | null, previous: number | null): number | null {
  if (unit !== 'fraction') return rateOfChange(now, previous)
  return now === null || previous === null ? null : now - previous
}

/** A figure's change: '+9.09%', for a share '−1.20 points'. */
export function changeText(country: Country, unit: FigureUnit, value: number | null): string {
  return unit === 'fraction' && value !== null ? `${pointsOf(country, value)} points` : formatChange(country, value)
}

/** Money on an axis: '$20k', '$2.5k', without needless zeros. */
export const axisMoney = (country: Country, value: number): string =>
  formatMoneyCompact(country, value)
    .replace(/\.0+(?=[a-z])/, '')
    .replace(/(\.\d)0(?=[a-z])/, '$1')

/** '11 Nov' within the year of `today`, otherwise with the year. */
export function shortDay(country: Country, value: Day, today: Day): string {
  const full = formatDate(country, value)
  const year = formatDate(country, today).slice(-4)
  if (!full.endsWith(year)) return full
  return withoutYear(full)
}

interface Reach {
  readonly data_from: string | null
  readonly data_to: string | null
  readonly begins_before_data: boolean
  readonly late: boolean
}

/** A row's note about its data: where it begins if within the period, how far it goes if late; otherwise empty. */
export function dataAge(row: Reach, country: Country, today: Day): string {
  const from = row.data_from === null || !row.begins_before_data ? null : parseDay(row.data_from)
  const to = row.data_to === null || !row.late ? null : parseDay(row.data_to)
  if (from !== null && to !== null) return `data ${formatDate(country, from)} – ${shortDay(country, to, today)}`
  if (from !== null) return `data from ${formatDate(country, from)}`
  if (to !== null) return `data to ${shortDay(country, to, today)}`
  return row.late ? 'no data yet' : ''
}

/** An upload state as written in a sentence: 'COMPLETED' becomes 'Completed', 'Never uploaded' stays. */
export function statusText(status: string): string {
  const words = status.replaceAll('_', ' ')
  return words === words.toUpperCase() ? words.charAt(0) + words.slice(1).toLowerCase() : words
}
