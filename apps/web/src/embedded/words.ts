import type { BoardData } from '@pillar/contract/board'
import { pointsText } from '@pillar/domain/figure/format'
import { parseDay, toYmd } from '@pillar/domain/time/day'
import {
  formatChange,
  formatNumber,
  formatPercent,
  formatSpan,
  monthName,
  monthShort,
} from '@pillar/domain/time/locale'

/** '2026-10' becomes 'Oct 2026'. */
export const monthLabel = (key: string): string => `${monthShort(Number(key.slice(5)))} ${key.slice(0, 4)}`
/** The same, spelled out. */
export const monthWords = (key: string): string => `${monthName(Number(key.slice(5)))} ${key.slice(0, 4)}`

/** A share to one decimal. */
export const percentIn = (data: Pick<BoardData, 'country'>) => (value: number) => formatPercent(data.country, value, 1)
/** A share as a whole percent, because curves are not known more precisely. */
export const wholePercent = (data: Pick<BoardData, 'country'>) => (value: number) =>
  formatPercent(data.country, value, 0)
export const countIn = (data: Pick<BoardData, 'country'>) => (value: number) => formatNumber(data.country, value)

/** The months a board covers, and its last one. */
export function monthsWords({ months }: BoardData): string {
  const [first, last] = [months[0], months.at(-1)]
  return first && last ? `${monthLabel(first)} – ${monthLabel(last)}, closed months` : ''
}

/** The financial year of the patient journeys. */
export function yearWords({ year, country }: BoardData): string {
  if (!year) return ''
  return formatSpan(country, parseDay(year.from) ?? 0, parseDay(year.to) ?? 0)
}

/** The last value that may be shown, and the month it is of if later ones may not: ' in August 2026', else ''. */
function lastOf(values: readonly (number | null)[], { months }: BoardData): { value: number; when: string } | null {
  const at = values.findLastIndex((value) => value !== null)
  if (at < 0) return null
  return { value: values[at] as number, when: at === months.length - 1 ? '' : ` in ${monthWords(months[at]!)}` }
}

/** The share of the first product: 'Cardaxa has 20.0% of Statins scripts'. */
export function shareTitle(data: BoardData): string {
  const [first] = data.shares
  const last = first && lastOf(first.values, data)
  if (!last) return `Shares of ${data.drug_class} scripts`
  const share = `${percentIn(data)(last.value)} of ${data.drug_class} scripts${last.when}`
  return `${first.label} ${last.when ? 'had' : 'has'} ${share}`
}

/** The share of scripts from adherent patients: '78.3% of scripts are adherent'. */
export function adherenceTitle(data: BoardData): string {
  const last = lastOf(data.adherence, data)
  if (!last) return 'Adherence is not shown'
  return `${percentIn(data)(last.value)} of scripts ${last.when ? 'were' : 'are'} adherent${last.when}`
}

interface Headline {
  label: string
  value: string
  note: string
}

/** The figures above the charts: the share, the scripts and the pharmacies of the last month. */
export function headlinesOf(data: BoardData): Headline[] {
  const month = data.months.at(-1)
  if (!month) return []
  const own = data.shares.filter((one) => one.own)
  const [now, before] = [ownShare(own, data.months.length - 1), ownShare(own, data.months.length - 13)]
  const share = {
    label: `Our share of ${data.drug_class} scripts`,
    value: now === null ? '–' : `${now.whole ? '' : 'at least '}${percentIn(data)(now.sum)}`,
    note: now?.whole && before?.whole ? `${pointsText(data.country, now.sum - before.sum)} points in a year` : '',
  }
  const scripts = data.scripts.at(-1) ?? null
  return [
    ...(own.length > 0 ? [share] : []),
    {
      label: `Scripts, ${monthWords(month)}`,
      value: scripts === null ? '–' : countIn(data)(scripts),
      note: relativeWords(data, scripts, data.scripts.at(-13) ?? null),
    },
    { label: 'Pharmacies', value: countIn(data)(data.pharmacies.at(-1) ?? 0), note: 'complete in that month' },
  ]
}

/** The sum of the supplier's products in a month, and whether all of them may be shown; null if none may. */
function ownShare(own: BoardData['shares'], at: number): { sum: number; whole: boolean } | null {
  const shown = own.flatMap(({ values }) => values[at] ?? [])
  return shown.length === 0
    ? null
    : { sum: shown.reduce((sum, one) => sum + one, 0), whole: shown.length === own.length }
}

function relativeWords(data: BoardData, now: number | null, before: number | null): string {
  return now && before ? `${formatChange(data.country, now / before - 1, 1)} in a year` : ''
}

type Arrivals = NonNullable<BoardData['year']>['arrivals'][number]

/**
 * Whether too few began with it to be shown separately. The row of all others' products has only those who left the supplier's, so its other
 * values do not count.
 */
const isHidden = ({ own, fresh, together, from_own }: Arrivals): boolean =>
  fresh === null && together === null && (own || from_own === null)

/**
 * The bars of a product, in the order of their series, and why some are missing. Beside "too few" a zero is left out, although it is true: it
 * would read as the number that is hidden.
 */
export function arrivalBars(row: Arrivals, supplier: boolean): { values: (number | null)[]; note?: string } {
  const { fresh, from_own, from_other, together } = row
  const values = supplier ? [fresh, from_other, together, from_own] : [fresh, from_other, together]
  return isHidden(row) ? { values: values.map((value) => value || null), note: 'too few to show apart' } : { values }
}

/** How many new people began one of the supplier's products, or any; hidden ones are missing from the sum. */
export function arrivalsTitle(data: BoardData): string {
  const supplier = data.dashboard_type === 'Supplier'
  const what = supplier ? `new to ${data.drug_class} began with ours` : `began ${data.drug_class}`
  const asked = (data.year?.arrivals ?? []).filter(({ own }) => own || !supplier).map(({ fresh }) => fresh)
  const known = asked.filter((fresh) => fresh !== null)
  const sum = known.reduce((all, fresh) => all + fresh, 0)
  const part = known.length < asked.length
  // 'At least 0' says nothing.
  if (known.length === 0 || (part && sum === 0)) return `Too few people ${what} to say how many`
  return `${part ? 'At least ' : ''}${countIn(data)(sum)} ${sum === 1 ? 'person' : 'people'} ${what}`
}

/** How much is hidden, and why. */
export function hiddenIn(data: BoardData): string {
  const lines = [data.scripts, ...data.shares.map((one) => one.values)]
  const bars = (data.year?.arrivals ?? []).filter(isHidden)
  const months = (data.reach ?? []).map((one) => one.reach)
  const hidden = [...lines.flat(), ...months].filter((value) => value === null).length + bars.length
  const rule =
    'No figure is based on fewer than 10 patients or 3 pharmacies, and subtracting figures reveals no smaller group.'
  return hidden === 0 ? rule : `${hidden === 1 ? '1 value is' : `${hidden} values are`} not shown. ${rule}`
}

/** The highest month, compared with the average. */
export function peakOf(seasons: readonly (number | null)[]): { month: string; value: number } | null {
  const known = seasons.flatMap((value, at) => (value === null ? [] : [{ month: monthName(at + 1), value }]))
  return known.sort((a, b) => b.value - a.value)[0] ?? null
}

/** 'June runs 8% above an average month'; of the months that may be shown, none may be. */
export function peakWords({ month, value }: { month: string; value: number }): string {
  const above = Math.round(value - 100)
  return above > 0 ? `${month} runs ${above}% above an average month` : 'No month shown runs above an average month'
}

/** The year of a board's journeys, in one word: '2025–26', or '2025' for calendar years. */
export function yearName({ year }: BoardData): string {
  if (!year) return ''
  const [from, to] = [toYmd(parseDay(year.from) ?? 0).year, toYmd(parseDay(year.to) ?? 0).year]
  return from === to ? String(from) : `${from}–${String(to).slice(2)}`
}
