import type { ReplyOf } from '@pillar/contract'
import type { Stat } from '@pillar/contract/figure'
import type { financials } from '@pillar/contract/financials'
import type { Target } from '@pillar/contract/target'
import { CATEGORIES, TOTAL } from '@pillar/domain/dispensing/category'
import { plural, shareOf, shareText, sureText, type Tone } from '@pillar/domain/figure/format'
import { standingTone, targetText } from '@pillar/domain/target/target'
import { capital } from '@pillar/domain/text/sentence'
import { parseDay } from '@pillar/domain/time/day'
import {
  type Country,
  formatChange,
  formatDate,
  formatMoney,
  formatMoneyCompact,
  formatNumber,
  formatPercent,
  formatSpan,
  LOCALES,
  monthShort,
  NO_VALUE,
} from '@pillar/domain/time/locale'
import type { TableAnswer } from '../table-answer.ts'

type Stats = ReplyOf<typeof financials.stats>

/** A headline figure, formatted. */
export interface Headline {
  label: string
  value: string
  /** Compared with the same dates a year earlier, or the number behind the figure. */
  beside: string
  tone: Tone
}

/** A figure by month, and the same months a year earlier; the running month is left out. */
export interface TrendLine {
  title: string
  from: string
  to: string
  /** The newest month in words: 'Oct 2026: $1.81m'. */
  newest: string
  values: (number | null)[]
  prior: (number | null)[]
}

export interface RankLine {
  name: string
  share: string
  measured: string
  revenue: string
}

/** Everything on the page, in words; the drawing uses only this. */
export interface ReportContent {
  subject: string
  /** The company, if the page is about a pharmacy. */
  above: string | null
  period: string
  dates: string
  age: string
  headlines: Headline[]
  trends: TrendLine[]
  ranked: { title: string; best: RankLine[]; worst: RankLine[] }
  targets: { title: string; target: string; actual: string; words: string; tone: Tone }[]
  /** How the figures are counted; the first line says what changes compare with. */
  counted: string[]
}

export interface ReportParts {
  country: Country
  company: string
  /** Null for the whole company. */
  pharmacy: string | null
  stats: Stats
  table: TableAnswer
  targets: readonly Target[]
}

/** The most targets that fit on the page. */
const MOST_TARGETS = 6

/** The words and figures of the report, formatted as on the screen. */
export function reportContent(parts: ReportParts): ReportContent {
  const { country, company, pharmacy, stats, table } = parts
  const day = (iso: string) => parseDay(iso)!
  return {
    subject: pharmacy ?? company,
    above: pharmacy === null ? null : company,
    period: stats.period.label,
    dates: formatSpan(country, day(stats.period.from), day(stats.period.to)),
    age: ageText(parts),
    headlines: headlinesOf(parts),
    trends: [
      trendOf('Revenue', stats.revenue, stats, (value) => formatMoneyCompact(country, value)),
      trendOf('Scripts', stats.scripts, stats, (value) => formatNumber(country, value)),
      trendOf('Patients', stats.patients, stats, (value) => formatNumber(country, value)),
    ],
    ranked: {
      title: `${capital(plural(table.category))} by adherence`,
      best: table.best_categories.categories.map((one) => rankLine(country, one)),
      worst: table.worst_categories.categories.map((one) => rankLine(country, one)),
    },
    targets: parts.targets.slice(0, MOST_TARGETS).map((one) => ({
      title: one.title,
      target: targetText(country, one.figure, one.target),
      actual: targetText(country, one.figure, one.actual),
      words: one.words,
      tone: standingTone({ state: one.state, expected: one.expected, gap: one.gap, needed: one.needed }),
    })),
    counted: countedText(parts),
  }
}

/** 'Data to 31 Oct 2026 · 24 pharmacies · 2 late: Acacia, Banksia'. */
function ageText({ country, stats, table, pharmacy }: ReportParts): string {
  const to = stats.data_to === null ? null : parseDay(stats.data_to)
  const late = table.pharmacies.filter((one) => one.late).map((one) => one.pharmacy_name)
  const said = [to === null ? 'No data in this period yet' : `Data to ${formatDate(country, to)}`]
  if (pharmacy === null) {
    const all = table.pharmacies.length
    const some = stats.pharmacies_counted < all ? `${formatNumber(country, stats.pharmacies_counted)} of ` : ''
    said.push(`${some}${formatNumber(country, all)} ${all === 1 ? 'pharmacy' : 'pharmacies'}`)
    if (late.length > 0) said.push(`${formatNumber(country, late.length)} late: ${late.join(', ')}`)
  } else if (late.length > 0) said.push('its newest upload is late')
  return said.join(' · ')
}

function headlinesOf({ country, stats, table }: ReportParts): Headline[] {
  const change = (stat: Stat, goodWhen: 'up' | 'down'): Pick<Headline, 'beside' | 'tone'> => {
    const rate = stat.rate_of_change
    if (rate === null) return { beside: 'no change to show', tone: 'plain' }
    const text = formatChange(country, rate)
    const moved = /[1-9]/.test(text)
    const up = goodWhen === 'up' ? rate > 0 : rate < 0
    return { beside: `${text} on last year`, tone: moved ? (up ? 'good' : 'bad') : 'plain' }
  }
  const total = table.columns.find(({ field }) => field === TOTAL)?.total
  const share = (
    label: string,
    of: { value: number | null; n: number | null; low: number | null; high: number | null } | null,
    noun: string,
  ): Headline => {
    const sure = of === null ? null : sureText(country, of, noun)
    return { label, value: of === null ? NO_VALUE : shareText(country, of), beside: sure ?? '', tone: 'plain' }
  }
  const { patients } = stats
  return [
    { label: 'Revenue', value: formatMoney(country, stats.revenue.total), ...change(stats.revenue, 'up') },
    { label: 'Scripts', value: formatNumber(country, stats.scripts.total), ...change(stats.scripts, 'up') },
    { label: 'Patients', value: formatNumber(country, patients.total), ...change(patients, 'up') },
    share('Adherent patients', patients.adherent_share, 'patients measured'),
    share('Adherent scripts', total ? shareOf('Adherence', total) : null, 'measured'),
    share('Loyalty', total ? shareOf('Loyalty', total) : null, 'scripts'),
    {
      label: 'Adherence opportunity',
      value: formatMoneyCompact(country, stats.total_adherence_opportunity_cost.total),
      ...change(stats.total_adherence_opportunity_cost, 'down'),
    },
    {
      label: 'Patients not adherent',
      value: formatNumber(country, patients.non_adherence.total),
      ...change(patients.non_adherence, 'down'),
    },
  ]
}

const monthText = (month: string) => `${monthShort(Number(month.slice(5)))} ${month.slice(0, 4)}`

/** Whether the data do not yet reach the end of a month of the trend. */
function runs(month: string, dataTo: string | null): boolean {
  if (dataTo === null || month !== dataTo.slice(0, 7)) return false
  const next = new Date(`${dataTo}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 7) === month
}

function trendOf(
  title: string,
  { trend }: Stat,
  { data_to }: Stats,
  write: (value: number | null) => string,
): TrendLine {
  const months = trend.filter(({ month }) => !runs(month, data_to))
  const last = months.at(-1)
  return {
    title,
    from: monthText(months[0]?.month ?? ''),
    to: monthText(last?.month ?? ''),
    newest: last ? `${monthText(last.month)}: ${write(last.value)}` : '',
    values: months.map(({ value }) => value),
    prior: months.map(({ prior }) => prior),
  }
}

function rankLine(country: Country, one: TableAnswer['best_categories']['categories'][number]): RankLine {
  return {
    name: one.category,
    share: formatPercent(country, one.adherent_script_percent),
    measured: formatNumber(country, one.adherence_n),
    revenue: formatMoney(country, one.revenue_value),
  }
}

/** The category by which the report ranks. */
export const REPORT_CATEGORY = CATEGORIES[0]

function countedText({ country, stats, table }: ReportParts): string[] {
  const { prior, pharmacies_compared: compared, pharmacies_counted: all } = stats
  const span = formatSpan(country, parseDay(prior.from)!, parseDay(prior.to)!)
  const { payer, salesTax } = LOCALES[country]
  const some = compared < all ? `, for the ${formatNumber(country, compared)} with complete data in both` : ''
  const once = table.pharmacies.length > 1 ? 'Someone who visits two of the pharmacies is counted once. ' : ''
  return [
    compared === 0
      ? 'Nothing has complete data for the year before to compare with.'
      : `Changes compare with ${span}${some}.`,
    `Revenue is what patients and ${payer} pay, excluding ${salesTax}. Scripts leave out reversed and deferred ones.`,
    `${once}A patient is adherent when their medicines together cover 80% of their days or more; a script, when its own medicine does.`,
    'Loyalty is the share of scripts dispensed here of all those seen for the same prescriptions. Adherence opportunity is the revenue missed on uncovered days, a ceiling.',
    'Ranges hold the true share 19 times in 20. By now, a target of a sum is due by business days; a share is due in full.',
  ]
}
