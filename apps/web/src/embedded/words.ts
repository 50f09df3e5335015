import type { BoardData } from '@pillar/contract/board'
import { parseDay, toYmd } from '@pillar/domain/time/day'
import { formatNumber, formatPercent, formatSpan, monthName, monthShort } from '@pillar/domain/time/locale'

/** 'Oct 2026' of '2026-10'. */
export const monthLabel = (key: string): string => `${monthShort(Number(key.slice(5)))} ${key.slice(0, 4)}`
/** The same in full. */
export const monthWords = (key: string): string => `${monthName(Number(key.slice(5)))} ${key.slice(0, 4)}`

/** A share to one decimal. */
export const percentIn = (data: Pick<BoardData, 'country'>) => (value: number) => formatPercent(data.country, value, 1)
/** A share as a whole percent: curves are known no better. */
export const wholePercent = (data: Pick<BoardData, 'country'>) => (value: number) =>
  formatPercent(data.country, value, 0)
export const countIn = (data: Pick<BoardData, 'country'>) => (value: number) => formatNumber(data.country, value)

/** The months a board is about, and its last one. */
export function monthsWords({ months }: BoardData): string {
  const [first, last] = [months[0], months.at(-1)]
  return first && last ? `${monthLabel(first)} – ${monthLabel(last)}, closed months` : ''
}

/** The financial year whose journeys are counted. */
export function yearWords({ year, country }: BoardData): string {
  if (!year) return ''
  return formatSpan(country, parseDay(year.from) ?? 0, parseDay(year.to) ?? 0)
}

/** The last value that may be shown, and where. */
export function lastOf(values: readonly (number | null)[]): { at: number; value: number } | null {
  const at = values.findLastIndex((value) => value !== null)
  return at < 0 ? null : { at, value: values[at] as number }
}

interface Headline {
  label: string
  value: string
  note: string
}

/** The figures above the pictures: the share, the scripts and the pharmacies of the last month. */
export function headlinesOf(data: BoardData): Headline[] {
  const month = data.months.at(-1)
  if (!month) return []
  const own = data.shares.filter((one) => one.own)
  const sums = data.months.map((_, at) => {
    const shown = own.flatMap(({ values }) => values[at] ?? [])
    return shown.length === 0 ? null : shown.reduce((sum, one) => sum + one, 0)
  })
  const [now, before] = [sums.at(-1) ?? null, sums.at(-13) ?? null]
  const share = {
    label: `Our share of ${data.drug_class} scripts`,
    value: now === null ? '–' : percentIn(data)(now),
    note: changeWords(now, before),
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

function changeWords(now: number | null, before: number | null): string {
  if (now === null || before === null) return ''
  const points = (now - before) * 100
  return `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)} points in a year`
}

function relativeWords(data: BoardData, now: number | null, before: number | null): string {
  if (!now || !before) return ''
  const change = now / before - 1
  return `${change < 0 ? '−' : '+'}${percentIn(data)(Math.abs(change))} in a year`
}

type Arrivals = NonNullable<BoardData['year']>['arrivals'][number]

/** Too few began with it to be shown apart. The row of all others' products, of those who left the supplier's, is silent about the rest. */
export const isHidden = ({ own, fresh, together, from_own }: Arrivals): boolean =>
  fresh === null && together === null && (own || from_own === null)

/** How much is not shown, and why. */
export function hiddenIn(data: BoardData): string {
  const lines = [data.scripts, ...data.shares.map((one) => one.values)]
  const bars = (data.year?.arrivals ?? []).filter(isHidden)
  const months = (data.reach ?? []).map((one) => one.reach)
  const hidden = [...lines.flat(), ...months].filter((value) => value === null).length + bars.length
  const rule =
    'Nothing rests on fewer than 10 patients or 3 pharmacies, and nothing smaller can be worked out by subtraction.'
  return hidden === 0 ? rule : `${hidden === 1 ? '1 value is' : `${hidden} values are`} not shown. ${rule}`
}

/** The month that differs most from the average one. */
export function peakOf(seasons: readonly (number | null)[]): { month: string; value: number } | null {
  const known = seasons.flatMap((value, at) => (value === null ? [] : [{ month: monthName(at + 1), value }]))
  return known.sort((a, b) => b.value - a.value)[0] ?? null
}

/** The year of a board's journeys, in one word: '2025–26', or '2025' for calendar years. */
export function yearName({ year }: BoardData): string {
  if (!year) return ''
  const [from, to] = [toYmd(parseDay(year.from) ?? 0).year, toYmd(parseDay(year.to) ?? 0).year]
  return from === to ? String(from) : `${from}–${String(to).slice(2)}`
}
