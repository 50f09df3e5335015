import { TOTAL } from '../dispensing/category.ts'
import { capital } from '../text/sentence.ts'
import { parseDay } from '../time/day.ts'
import {
  COUNTRY_NAMES,
  type Country,
  formatDate,
  formatMoney,
  formatNumber,
  formatPercent,
  NO_VALUE,
  plainDecimals,
} from '../time/locale.ts'
import { FIGURES } from './figure-list.ts'
import { MIN_SHARE_N, MIN_SURE_N } from './interval.ts'

/** The statistics the category table can show, as the wire and the screen name them. */
export const STATISTICS = ['Revenue', 'Number of Scripts', 'Adherence', 'Loyalty'] as const
export type Statistic = (typeof STATISTICS)[number]

/** Full names of the statistics. */
export const STATISTIC_NAMES: Readonly<Record<Statistic, string>> = {
  Revenue: FIGURES.revenue.title,
  'Number of Scripts': 'Number of Scripts',
  Adherence: FIGURES.adherent_script_percent.title,
  Loyalty: FIGURES.loyalty.title,
}

/** The column of pharmacy names, as sort settings call it. */
export const NAME_FIELD = 'pharmacy'

/** Shown instead of a share of fewer than 10 observations. */
export const TOO_FEW = 'too few to tell'
/** A difference from the average is coloured only above this. */
export const NOTABLE = 0.05

/** A cell's figures as sent: money in currency, shares as fractions; the average of other companies has no `n` and no bounds. */
export interface CellFigures {
  readonly revenue_value: number | null
  readonly script_count: number | null
  readonly adherent_script_percent: number | null
  readonly adherence_n?: number
  readonly adherence_low?: number | null
  readonly adherence_high?: number | null
  readonly adherence_performance?: number | null
  readonly loyalty_script_percent: number | null
  readonly loyalty_n?: number
  readonly loyalty_low?: number | null
  readonly loyalty_high?: number | null
  readonly loyalty_performance?: number | null
}

/** A share with its observations. The bounds are null if the share is; for other companies, only the value is given. */
export interface Share {
  readonly value: number | null
  readonly n: number | null
  readonly low: number | null
  readonly high: number | null
}

export type Tone = 'good' | 'bad' | 'plain'

/** The text of a cell: its figure, the smaller line under it, and its tooltip. */
export interface Figure {
  readonly figure: string
  readonly context: string
  readonly tone: Tone
  /** Whether the figure is based on so few observations that it is shown in grey. */
  readonly unsure: boolean
  readonly title?: string
}

const PLAIN = { context: '', tone: 'plain', unsure: false } as const

/** Whether a statistic is a share, with an interval. */
export const isShare = (statistic: Statistic): boolean => statistic === 'Adherence' || statistic === 'Loyalty'

/** The share of a cell that a statistic shows, with its interval; null for counts and money. */
export function shareOf(statistic: Statistic, cell: CellFigures): Share | null {
  if (statistic === 'Adherence') {
    const { adherent_script_percent: value, adherence_n = null, adherence_low = null, adherence_high = null } = cell
    return { value, n: adherence_n, low: adherence_low, high: adherence_high }
  }
  if (statistic === 'Loyalty') {
    const { loyalty_script_percent: value, loyalty_n = null, loyalty_low = null, loyalty_high = null } = cell
    return { value, n: loyalty_n, low: loyalty_low, high: loyalty_high }
  }
  return null
}

/**
 * The value by which a statistic sorts, rounded so that figures that look the same sort as equal: money to the cent, shares to a hundredth of a
 * percent. Null if there is none.
 */
export function statisticValue(statistic: Statistic, cell: CellFigures | undefined): number | null {
  if (!cell) return null
  const share = shareOf(statistic, cell)
  const value = share ? share.value : statistic === 'Revenue' ? cell.revenue_value : cell.script_count
  return value === null ? null : Number(plainDecimals(share ? value * 100 : value))
}

/** '1,234 scripts', '1 script', '–'. */
export function scriptsText(country: Country, count: number | null): string {
  return count === null ? NO_VALUE : counted(country, count, 'script')
}

function counted(country: Country, count: number, noun: string): string {
  const text = formatNumber(country, count)
  return `${text} ${text === '1' ? noun : `${noun}s`}`
}

/** A share as shown: a percent, 'too few to tell' under 10, an en dash if the denominator is 0. */
export function shareText(country: Country, { value, n }: Pick<Share, 'value' | 'n'>): string {
  if (value === null && n !== null && n > 0 && n < MIN_SHARE_N) return TOO_FEW
  return formatPercent(country, value)
}

/** The bounds of a share to a tenth of a percent: '70.2% – 85.1%'; empty if it has none. */
export function intervalText(country: Country, { low, high }: Pick<Share, 'low' | 'high'>): string {
  return low === null || high === null ? '' : `${formatPercent(country, low, 1)} – ${formatPercent(country, high, 1)}`
}

/** The uncertainty of a share: 'between 70.2% and 85.1%, from 34 measured'. `noun` names what is counted; null for a share without bounds. */
export function sureText(country: Country, { low, high, n }: Share, noun: string): string | null {
  if (n === null || low === null || high === null) return null
  const only = n < MIN_SURE_N ? 'only ' : ''
  const bounds = `between ${formatPercent(country, low, 1)} and ${formatPercent(country, high, 1)}`
  return `${bounds}, from ${only}${formatNumber(country, n)} ${noun}`
}

/** What a statistic's share measures, in a few words. */
export const SHARE_NOUNS: Readonly<Partial<Record<Statistic, string>>> = { Adherence: 'measured', Loyalty: 'scripts' }

/** A difference of shares in points, with its sign: '+0.6', '−1.2', '0.0'. */
export function pointsText(country: Country, difference: number): string {
  const text = formatNumber(country, difference * 100, 1)
  return difference > 0 && /[1-9]/.test(text) ? `+${text}` : text
}

/**
 * Distance of a share from the product average, in points; coloured if it is more than 5% of the average.
 * @param performance share ÷ average − 1
 */
function against(country: Country, share: number | null, performance: number | null | undefined) {
  if (share === null || performance == null) return { context: '', tone: 'plain' as Tone }
  const notable = Math.abs(performance) > NOTABLE
  const tone: Tone = notable ? (performance > 0 ? 'good' : 'bad') : 'plain'
  const distance = distanceIn(share, performance)
  return { context: distance === null ? 'below average' : pointsText(country, distance), tone }
}

/**
 * A share minus the product average, as a fraction; null for a share of 0, because the performance then does not reveal the average.
 * @param performance share ÷ average − 1
 */
export const distanceIn = (share: number, performance: number): number | null =>
  performance === -1 ? null : share - share / (1 + performance)

/**
 * The figure of a cell over its context, whose unit stands in the table head: revenue over the number of scripts, scripts over revenue, a share over
 * its distance from the average in points. A share of fewer than 30 is shown over that number and uncoloured; one of fewer than 10 as 'too few to
 * tell'.
 */
export function figureOf(country: Country, statistic: Statistic, cell: CellFigures | undefined): Figure {
  if (!cell) return { figure: NO_VALUE, ...PLAIN }
  const money = formatMoney(country, cell.revenue_value)
  if (statistic === 'Revenue') return { figure: money, ...PLAIN, context: formatNumber(country, cell.script_count) }
  if (statistic === 'Number of Scripts')
    return { figure: formatNumber(country, cell.script_count), ...PLAIN, context: money }
  const share = shareOf(statistic, cell)!
  const noun = SHARE_NOUNS[statistic]!
  const figure = shareText(country, share)
  if (figure === TOO_FEW) {
    const title = `Too few to tell: ${formatNumber(country, share.n)} ${noun}, ${MIN_SHARE_N} needed`
    return { figure, ...PLAIN, unsure: true, title }
  }
  const sure = sureText(country, share, noun)
  const title = sure === null ? undefined : capital(sure)
  if (share.value !== null && share.n !== null && share.n < MIN_SURE_N) {
    const context = `only ${formatNumber(country, share.n)} ${noun}`
    return { figure, ...PLAIN, unsure: true, context, title: `${title}. Too few to compare.` }
  }
  const difference = statistic === 'Adherence' ? cell.adherence_performance : cell.loyalty_performance
  return {
    figure,
    ...against(country, share.value, difference),
    unsure: false,
    ...(title === undefined ? {} : { title }),
  }
}

/** A column's head. The first one names what it totals ('All drug types'). */
export function columnLabel(category: string, field: string): string {
  if (field === NAME_FIELD) return 'Pharmacy'
  return field === TOTAL ? `All ${plural(category)}` : field
}

/** 'drug types', 'age groups', 'sexes': the category's name in the plural. */
export function plural(category: string): string {
  const name = category.toLowerCase()
  if (name === 'sex') return 'sexes'
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`
}

const names = new Intl.Collator('en')

/** The order of two names, the same for the screen and the exported file. */
export const compareNames: (a: string, b: string) => number = names.compare

interface Row {
  readonly pharmacy_name: string
}

/** Rows in name order, which also decides ties. */
export function byName<T extends Row>(rows: readonly T[]): T[] {
  return [...rows].sort((a, b) => names.compare(a.pharmacy_name, b.pharmacy_name))
}

/** A row pinned above the pharmacies: its name, and the smaller line under it. */
export interface PinnedWords {
  readonly name: string
  readonly note: string
}

/** What the table's answer contains about the pharmacies shown and those in the average. */
interface Counted {
  readonly pharmacies: readonly unknown[]
  /** The selected pharmacies that have figures in the period. */
  readonly selected_pharmacies: number
  readonly baseline_pharmacies: number
  /** Last day of the average; null without an average, and then why. */
  readonly baseline_to: string | null
  readonly baseline_reason: string | null
  readonly period: { readonly ends: string }
}

/** The names of the three rows above the pharmacies: TOTAL, the product's average, the average of the selection. */
export function pinnedWords(
  table: Counted,
  product: string,
  country: Country,
): Record<'total' | 'baseline' | 'selected', PinnedWords> {
  const all = table.pharmacies.length
  const count = table.selected_pharmacies
  const whole = (n: number) => formatNumber(country, n)
  const pharmacies = (n: number) => `${whole(n)} ${n === 1 ? 'pharmacy' : 'pharmacies'}`
  const selected = `${whole(count)} selected ${count === 1 ? 'pharmacy' : 'pharmacies'}`
  return {
    total: { name: 'TOTAL', note: count === all ? selected : `${whole(count)} of ${whole(all)} selected have data` },
    baseline: {
      name: `${product} average`,
      note:
        table.baseline_reason ??
        `${pharmacies(table.baseline_pharmacies)}, ${COUNTRY_NAMES[country]}${untilText(table, country)}`,
    },
    selected: { name: 'Selected average', note: pharmacies(count) },
  }
}

/** The last closed month of the average, if it ends before the period does. */
function untilText({ baseline_to, period }: Counted, country: Country): string {
  const to = baseline_to === null || baseline_to === period.ends ? null : parseDay(baseline_to)
  return to === null ? '' : `, to ${formatDate(country, to)}`
}
