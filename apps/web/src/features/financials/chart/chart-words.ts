import { TOTAL } from '@pillar/domain/dispensing/category'
import { columnLabel, isShare, pointsText, type Statistic } from '@pillar/domain/figure/format'
import { capital } from '@pillar/domain/text/sentence'
import {
  type Country,
  formatChange,
  formatNumber,
  formatPercent,
  LOCALES,
  postcodeWord,
} from '@pillar/domain/time/locale'
import type { StripDot } from '../../../kit/chart/draw/dot-strip.ts'
import type { RankedRow } from '../../../kit/chart/draw/ranked-bars.ts'
import { axisMoney, unitText } from '../figures.ts'
import type { Heat, Place } from './chart-model.ts'

/** A statistic's name within a sentence, and its unit. */
export interface Said {
  statistic: Statistic
  country: Country
  /** The column's field. */
  field: string
}

const NAMES: Readonly<Record<Statistic, string>> = {
  Revenue: 'revenue',
  'Number of Scripts': 'scripts',
  Adherence: 'adherent scripts',
  Loyalty: 'loyalty',
}

/** 'revenue', 'Diabetes revenue'. */
export const nameOf = ({ statistic, field }: Said): string =>
  field === TOTAL ? NAMES[statistic] : `${field} ${NAMES[statistic]}`

const unitOf = (statistic: Statistic) => (isShare(statistic) ? 'fraction' : statistic === 'Revenue' ? 'money' : 'count')

/** A figure of a statistic in full: '$1,234', '1,234', '61.29%'. */
export const full = ({ statistic, country }: Said, value: number): string => unitText(country, unitOf(statistic), value)

/** The same on an axis: '$20k', '1,234', '61%'. */
export function short({ statistic, country }: Said, value: number): string {
  if (statistic === 'Revenue') return axisMoney(country, value)
  if (isShare(statistic)) return formatPercent(country, value, Number.isInteger(Math.round(value * 1e6) / 1e4) ? 0 : 1)
  return formatNumber(country, value)
}

/** A change from last year: '+4.20%', for a share in points '+0.6'. */
export const changed = ({ statistic, country }: Said, change: number): string =>
  isShare(statistic) ? pointsText(country, change) : formatChange(country, change)

const COUNTS = ['No', 'One', 'Two', 'Three', 'Four', 'Five']
const count = (value: number) => value.toLocaleString('en-AU')

/** Who leads: 'Five pharmacies bring 39.90% of revenue'; for a share, the first and the last with enough observations. */
export function barsTitle(rows: readonly RankedRow[], said: Said): string {
  const sure = rows.filter((row) => row.value !== null && !row.hollow) as (RankedRow & { value: number })[]
  const sorted = sure.toSorted((a, b) => b.value - a.value)
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (!first || !last) return `Too few to rank by ${nameOf(said)}`
  if (first === last) return `${first.label} has ${full(said, first.value)}`
  if (isShare(said.statistic)) {
    return `${first.label} leads with ${full(said, first.value)}, ${last.label} is last with ${full(said, last.value)}`
  }
  const whole = sorted.reduce((sum, { value }) => sum + value, 0)
  if (whole <= 0) return nothing(said)
  const lead = sorted.length >= 10 ? 5 : 1
  const part = sorted.slice(0, lead).reduce((sum, { value }) => sum + value, 0)
  const percent = formatPercent(said.country, part / whole)
  return lead === 1
    ? `${first.label} brings ${percent} of ${nameOf(said)}`
    : `${COUNTS[lead]} pharmacies bring ${percent} of ${nameOf(said)}`
}

/** Which fell most from last year: '4 of the 16 compared are below last year, most of all Oak Corner (−6.71%)'. */
export function fallTitle(rows: readonly RankedRow[], said: Said): string {
  const compared = rows.filter((row) => row.change != null) as (RankedRow & { change: number })[]
  const [first] = compared.toSorted((a, b) => a.change - b.change)
  if (!first) return 'No pharmacy has a year to compare with'
  const below = compared.filter(({ change }) => change < 0).length
  if (compared.length === 1)
    return `${first.label}, the only pharmacy compared, is ${below === 0 ? 'not ' : ''}below last year (${changed(said, first.change)})`
  const all = `the ${count(compared.length)} compared`
  if (below === 0) return `None of ${all} is below last year`
  const most = `${first.label} (${changed(said, first.change)})`
  return below === 1
    ? `Only ${most} of ${all} is below last year`
    : `${count(below)} of ${all} are below last year, most of all ${most}`
}

const nothing = (said: Said) => `No ${nameOf(said)} in this period`

/** The position of the highlighted pharmacy; without one, how many are above the average. */
export function dotsTitle(
  dots: readonly StripDot[],
  average: number | null,
  marked: StripDot | undefined,
  said: Said,
): string {
  const all = dots.length
  const [only] = dots
  if (only && all === 1) return `${only.label} is the only one with a figure: ${full(said, only.value)}`
  if (marked) {
    const place = dots.filter(({ value }) => value > marked.value).length + 1
    const against = average === null ? '' : `, ${awayFrom(said, marked.value, average)}`
    return `${marked.label} is ${ordinal(place)} of ${count(all)}: ${full(said, marked.value)}${against}`
  }
  if (average === null) return `${count(all)} pharmacies have a figure`
  const above = dots.filter(({ value }) => value > average).length
  return `${count(above)} of ${count(all)} pharmacies ${above === 1 ? 'is' : 'are'} above the average of ${full(said, average)}`
}

function awayFrom(said: Said, value: number, average: number): string {
  const far = Math.abs(value - average)
  const size = isShare(said.statistic) ? `${formatNumber(said.country, far * 100, 1)} points` : full(said, far)
  if (!/[1-9]/.test(size)) return 'the same as the average'
  return `${size} ${value > average ? 'above' : 'below'} the average`
}

/** '1st', '22nd', '113th'. */
export function ordinal(place: number): string {
  const teen = place % 100 >= 11 && place % 100 <= 13
  const end = teen ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')
  return `${count(place)}${end}`
}

/** The subcategory that is most often the highest: 'The largest drug type at 18 of 24 pharmacies is Diabetes'. */
export function heatTitle({ columns, rows }: Pick<Heat, 'columns' | 'rows'>, category: string, said: Said): string {
  const wins = columns.map(() => 0)
  let [known, judged] = [0, 0]
  for (const { cells } of rows) {
    const values = cells.map(({ value, hollow }) => (hollow ? null : value))
    const most = Math.max(...values.map((value) => value ?? Number.NEGATIVE_INFINITY))
    if (!Number.isFinite(most)) continue
    known += 1
    if (most <= 0 && !isShare(said.statistic)) continue
    judged += 1
    const at = values.indexOf(most)
    wins[at] = (wins[at] ?? 0) + 1
  }
  const best = wins.indexOf(Math.max(...wins))
  if (known === 0) return `Too few to compare by ${NAMES[said.statistic]}`
  if (judged === 0) return nothing(said)
  const where = judged === 1 ? 'the only pharmacy' : `${count(wins[best]!)} of ${count(judged)} pharmacies`
  return isShare(said.statistic)
    ? `${said.statistic} is highest for ${columns[best]} at ${where}`
    : `The largest ${category.toLowerCase()} at ${where} is ${columns[best]}`
}

/**
 * The state with the highest sum or share.
 * @param open the state opened on the map, named instead
 * @param elsewhere the sum of the pharmacies without a state: part of the whole, though not on the map
 */
export function mapTitle(places: readonly Place[], said: Said, open: string | null = null, elsewhere = 0): string {
  const known = places.filter((place) => place.value !== null) as (Place & { value: number })[]
  const first = known.toSorted((a, b) => b.value - a.value)[0]
  if (!first) return `No ${nameOf(said)} to show on the map`
  if (isShare(said.statistic)) {
    return `${capital(nameOf(said))} ${known.length === 1 ? 'of' : 'are highest in'} ${first.code}: ${full(said, first.value)}`
  }
  const shown = open === null ? first : (known.find(({ code }) => code === open) ?? first)
  const whole = known.reduce((sum, { value }) => sum + value, elsewhere)
  if (whole <= 0) return nothing(said)
  return `${shown.code} brings ${formatPercent(said.country, shown.value / whole)} of ${nameOf(said)}`
}

/** The heading of an opened state: 'NSW by postcode'; in the United States 'TX by ZIP code'. */
export const withinTitle = (state: string, country: Country): string => `${state} by ${postcodeWord(country)}`

/** Numbers in the cells of a heat map, without the unit, which is in the caption: '8.5' for $1,000, '1,234', '61.3'. */
export function cellWords({ statistic, country }: Said, most: number) {
  const { currencySymbol } = LOCALES[country]
  if (isShare(statistic)) {
    return { unit: 'in percent', format: (value: number) => formatNumber(country, value * 100, 1) }
  }
  const plain = (value: number) => formatNumber(country, value)
  if (statistic !== 'Revenue') return { unit: '', format: plain }
  if (most < 10_000) return { unit: `in ${currencySymbol}`, format: plain }
  // Five digits and a comma at most, which is what a column holds on a phone.
  const [unit, by, decimals] = most < 1e6 ? ['1,000', 1e3, 1] : most < 1e7 ? ['1,000', 1e3, 0] : ['1m', 1e6, 1]
  return { unit: `in ${currencySymbol}${unit}`, format: (value: number) => formatNumber(country, value / by, decimals) }
}

/** The end of every caption: the figure, its scope, and the dates. */
export function about(said: Said, category: string, dates: string): string {
  const over = said.field === TOTAL ? columnLabel(category, TOTAL).toLowerCase() : said.field
  const what =
    said.statistic === 'Adherence' ? 'Share of scripts from adherent patients' : capital(NAMES[said.statistic])
  return `${what}, ${over}, ${dates}`
}
