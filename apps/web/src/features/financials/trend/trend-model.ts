import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import { parseDay } from '@pillar/domain/time/day'
import {
  type Country,
  formatDate,
  formatNumber,
  formatPercent,
  formatWeekday,
  monthName,
  monthShort,
} from '@pillar/domain/time/locale'
import type { MonthTarget } from '../../target/useTargets.ts'
import { axisMoney, type Explainable, NONE, unitText } from '../figures.ts'

export type TrendReply = ReplyOf<typeof financials.trend>
export type TrendFigure = TrendReply['figure']
type Month = TrendReply['months'][number]

const FIGURES: Readonly<Partial<Record<Explainable, TrendFigure>>> = {
  revenue: 'revenue',
  revenue_value: 'revenue',
  scripts: 'scripts',
  script_count: 'scripts',
  patients: 'patients',
  'patients.adherence': 'adherent_share',
  'patients.non_adherence': 'adherent_share',
  adherent_script_percent: 'adherent_script_percent',
  loyalty_script_percent: 'loyalty',
}

/** The figure whose trend belongs to a number; null if there is none. A subcategory has none. */
export const trendOf = (number: Explainable, subcategory?: string): TrendFigure | null =>
  subcategory === undefined ? (FIGURES[number] ?? null) : null

/** '2026-11' becomes 'Nov 2026'. */
export function monthText(month: string): string {
  const [year = '', number = ''] = month.split('-')
  return `${monthShort(Number(number))} ${year}`
}

/** The values the trend draws: sums per pharmacy and business day, so that the running month compares with complete ones. */
export function linesOf({ months, rated }: TrendReply): { values: (number | null)[]; before: (number | null)[] } {
  return {
    values: months.map((month) => (rated ? month.per_business_day : month.value)),
    before: months.map((month) => month.year_before),
  }
}

/** The first month that may still change: one still running or, for loyalty, not settled; null if the data goes on after it. */
export function runningFrom(reply: Pick<TrendReply, 'months' | 'figure' | 'data_to'>): number | undefined {
  const at = reply.months.findIndex((month) => month.running || isUnsettled(reply, month))
  return at < 0 ? undefined : at
}

/** Days before the newest data in which loyalty reads too high: a supply made elsewhere shows only once a later one is made here. */
const SETTLES = 60

function isUnsettled({ figure, data_to }: Pick<TrendReply, 'figure' | 'data_to'>, { to }: Pick<Month, 'to'>): boolean {
  const [newest, last] = [parseDay(data_to ?? ''), parseDay(to)]
  return figure === 'loyalty' && newest !== null && last !== null && last > newest - SETTLES
}

/** A trend figure in full. Rates have cents or a decimal, because values per business day are small. */
export function fullText({ unit, rated }: Pick<TrendReply, 'unit' | 'rated'>, country: Country, value: number): string {
  if (unit === 'fraction') return formatPercent(country, value)
  if (unit === 'money') return unitText(country, 'money', value)
  return formatNumber(country, value, rated || unit === 'rate' ? 1 : 0)
}

/** The same on an axis. */
export function axisText(reply: Pick<TrendReply, 'unit' | 'rated'>, country: Country, value: number): string {
  if (reply.unit === 'money') return axisMoney(country, value)
  if (reply.unit === 'fraction')
    return formatPercent(country, value, Number.isInteger(Math.round(value * 1e6) / 1e4) ? 0 : 1)
  return formatNumber(country, value, Number.isInteger(value) ? 0 : 1)
}

/** The latest month with a change in words: 'Revenue in November 2026 so far is 3.20% above the same days of 2025'. */
export function trendTitle(reply: TrendReply, country: Country): string {
  const known = reply.months.findLast(({ value }) => value !== null)
  if (!known) return `${reply.title}: nothing to show`
  const latest = reply.months.findLast(({ change }) => change !== null)
  if (!latest)
    return `${reply.title} in ${named(known)} ${verb(reply)} ${fullText({ ...reply, rated: false }, country, known.value!)}`
  const [size, word] = sized(reply, latest.change!, country)
  const year = Number(latest.month.slice(0, 4)) - 1
  const against = latest.running ? `the same days of ${year}` : `${monthName(Number(latest.month.slice(5)))} ${year}`
  return `${reply.title} in ${named(latest)} ${verb(reply)} ${size}${word} ${against}`
}

const verb = ({ title }: Pick<TrendReply, 'title'>) => (/s$/.test(title) && !/ss$/.test(title) ? 'are' : 'is')

const named = ({ month, running }: Month) =>
  `${monthName(Number(month.slice(5)))} ${month.slice(0, 4)}${running ? ' so far' : ''}`

function sized({ unit }: TrendReply, change: number, country: Country): [string, string] {
  const size =
    unit === 'fraction'
      ? `${formatNumber(country, Math.abs(change) * 100, 1)} points`
      : formatPercent(country, Math.abs(change))
  if (!/[1-9]/.test(size)) return ['the same as', ' in']
  return [size, change > 0 ? ' above' : ' below']
}

/** The question, what is drawn, and the dates. */
export function trendCaption(reply: TrendReply, country: Country): string {
  const first = reply.months[0]
  const last = parseDay(reply.data_to ?? reply.months.at(-1)?.to ?? '')
  const per = reply.pharmacies > 1 ? ', per pharmacy per business day' : ' per business day'
  const what = `${reply.title}${reply.rated ? per : ', by month'}`
  const until = last === null ? NONE : formatDate(country, last)
  return `How are we doing, and since when? ${what}, ${first ? monthText(first.month) : NONE} – ${until}`
}

/** How far the running month goes, or why loyalty is not settled, in a sentence; empty if nothing is dashed. */
export function runningNote(reply: TrendReply, country: Country): string {
  if (reply.months.some((month) => isUnsettled(reply, month)))
    return 'Dashed: the newest months read too high. A repeat dispensed elsewhere is known once a later one is dispensed here.'
  const month = reply.months.find(({ running }) => running)
  const to = month ? parseDay(month.to) : null
  if (!month || to === null) return ''
  const how = reply.rated
    ? 'drawn as a rate per business day, so that it stands beside whole months'
    : 'still to come in part'
  return `Dashed: ${monthText(month.month)} runs to ${formatWeekday(country, to)}, ${how}.`
}

/** Which pharmacies' change draws the year before, if not all; else empty. */
export function likeForLikeNote({ months }: Pick<TrendReply, 'months'>, country: Country): string {
  const latest = months.findLast(({ year_before }) => year_before !== null)
  if (!latest || months.every((one) => one.year_before === null || one.pharmacies_compared === one.pharmacies_counted))
    return ''
  const [some, all] = [latest.pharmacies_compared, latest.pharmacies_counted].map((n) => formatNumber(country, n))
  return `The year before is like for like: drawn by the change of pharmacies with complete data in both years, ${some} of ${all} in ${monthText(latest.month)}.`
}

/** The targets in the unit of the trend: for sums, per pharmacy and business day. */
export function targetsDrawn({ rated }: Pick<TrendReply, 'rated'>, targets: readonly (MonthTarget | null)[]) {
  return targets.map((one) => (rated ? (one?.per_business_day ?? null) : (one?.target ?? null)))
}

/** The newest target in words: 'Target of Nov 2026: $120,000, or $6,000 per pharmacy per business day.'; empty without one. */
export function targetNote(reply: TrendReply, targets: readonly (MonthTarget | null)[], country: Country): string {
  const at = targets.findLastIndex((one) => one !== null)
  const newest = targets[at]
  if (!newest) return ''
  const whole = fullText({ ...reply, rated: false }, country, newest.target)
  const daily =
    reply.rated && newest.per_business_day !== null
      ? `, or ${fullText(reply, country, newest.per_business_day)}${reply.pharmacies > 1 ? ' per pharmacy' : ''} per business day`
      : ''
  return `Target of ${monthText(reply.months[at]!.month)}: ${whole}${daily}.`
}
