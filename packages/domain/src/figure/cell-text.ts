import { capital } from '../text/sentence.ts'
import { type Country, formatNumber, formatPercent, NO_VALUE } from '../time/locale.ts'
import {
  type CellFigures,
  distanceIn,
  type Figure,
  figureOf,
  isShare,
  NOTABLE,
  pointsText,
  type Statistic,
  scriptsText,
  shareOf,
  type Tone,
} from './format.ts'

/** Changes of a cell from a year earlier, as sent: fractions of money and counts, differences of shares. */
export interface CellChanges {
  readonly revenue_value: number | null
  readonly script_count: number | null
  readonly adherent_script_percent: number | null
  readonly loyalty_script_percent: number | null
}

/** Why a cell has no comparison; `known` if the head or the row already says so. */
export interface Missing {
  readonly why: string
  readonly known: boolean
}

/** What a cell is compared with. */
export interface Against {
  readonly change: CellChanges | undefined
  /** Null if no change is wanted, as with an average. */
  readonly noChange: Missing | null
  /** Null if the cell is itself an average. */
  readonly noAverage: Missing | null
  /** What an en dash means. */
  readonly nothing: string
}

/** A change from last year: its direction, its size, and whether it is good. */
export interface ChangeText {
  readonly arrow: '↑' | '↓' | '='
  readonly text: string
  readonly tone: Tone
}

/** A cell with all its text: the figure, the parts of the smaller line, and everything in words. */
export interface CellText extends Omit<Figure, 'title'> {
  readonly change: ChangeText | null
  /** The text in place of the change; empty for none. */
  readonly noChange: string
  /** Everything below the figure in full, for tooltips and screen readers. */
  readonly words: string
}

/** Shown in a cell that has neither a distance from the average nor a change. */
export const NOT_COMPARED = 'not compared'
const NO_AVERAGE = 'no average'
/** Shown instead of a change if there was nothing to compare with. */
export const NO_LAST_YEAR = 'no last year'

/** The contents of the small line under a figure, for the head of the table, so that cells need not repeat units. */
export function belowHead(statistic: Statistic, has: { average: boolean; change: boolean }): string {
  const share = isShare(statistic)
  const points = share ? 'points ' : ''
  const change = has.change ? `↑↓ ${has.average ? '' : points}on last year` : NO_LAST_YEAR
  const first = share ? (has.average ? 'points to average' : '') : statistic === 'Revenue' ? 'scripts' : 'revenue'
  const both = [first, change].filter(Boolean).join(', ')
  return `Below: ${share && !has.average ? `${both}, ${NO_AVERAGE}` : both}`
}

/**
 * A table cell with its comparisons: for revenue and scripts the other of the two and their change; for a share its distance from the average
 * and its change, both in points. Anything missing is replaced by a word or a reason.
 */
export function cellText(
  country: Country,
  statistic: Statistic,
  cell: CellFigures | undefined,
  against: Against,
): CellText {
  const { title, ...figure } = figureOf(country, statistic, cell)
  const share = cell && shareOf(statistic, cell)
  if (!cell || figure.unsure || share?.value === null) {
    const none = share?.n
      ? `None of the ${formatNumber(country, share.n)} measured has a script in this period`
      : against.nothing
    return { ...figure, change: null, noChange: '', words: sentences(figure.unsure ? title : none) }
  }
  const change = changeOf(country, statistic, share?.value, against.change)
  const changed = changeWords(statistic, change, against)
  if (share) {
    const words = sentences(title, distanceWords(country, statistic, cell, against), changed)
    return { ...figure, change, ...shareBelow(figure.context, change, against), words }
  }
  const context = figure.context === NO_VALUE ? '' : figure.context
  const below = statistic === 'Revenue' ? scriptsText(country, cell.script_count) : `${context} revenue`
  const words = sentences(
    figure.figure === NO_VALUE ? against.nothing : undefined,
    context === '' ? undefined : below,
    changed,
  )
  return { ...figure, context, change, noChange: noChangeText(change, against), words }
}

/** The text in place of a missing change. */
const noChangeText = (change: ChangeText | null, { noChange }: Against) =>
  change || !noChange || noChange.known ? '' : NO_LAST_YEAR

/** The line below a share: its distance from the average, or a word for it; never empty. */
function shareBelow(distance: string, change: ChangeText | null, against: Against) {
  if (distance !== '') return { context: distance, noChange: noChangeText(change, against) }
  if (!against.noAverage) return { context: change ? '' : 'average', noChange: '' }
  if (!change) return { context: against.noChange ? NOT_COMPARED : NO_AVERAGE, noChange: '' }
  return { context: against.noAverage.known ? '' : NO_AVERAGE, noChange: '' }
}

const FIELDS = {
  Revenue: 'revenue_value',
  'Number of Scripts': 'script_count',
  Adherence: 'adherent_script_percent',
  Loyalty: 'loyalty_script_percent',
} as const satisfies Record<Statistic, keyof CellChanges>

/** A statistic's change as a number, and whether it is more than 5% of the earlier value; null if there is none. */
export function changeIn(
  statistic: Statistic,
  share: number | undefined,
  changes: CellChanges | undefined,
): { value: number; notable: boolean } | null {
  const value = changes?.[FIELDS[statistic]] ?? null
  if (value === null) return null
  const before = share === undefined ? 1 : share - value
  return { value, notable: before <= 0 || Math.abs(value) / before > NOTABLE }
}

/** A change in percent, or in points for a share; coloured if notable. */
function changeOf(
  country: Country,
  statistic: Statistic,
  share: number | undefined,
  changes: CellChanges | undefined,
): ChangeText | null {
  const change = changeIn(statistic, share, changes)
  if (change === null) return null
  const { value, notable } = change
  const size = Math.abs(value)
  const text = share === undefined ? formatPercent(country, size) : pointsText(country, size).replace('+', '')
  if (!/[1-9]/.test(text)) return { arrow: '=', text, tone: 'plain' }
  return { arrow: value > 0 ? '↑' : '↓', text, tone: notable ? (value > 0 ? 'good' : 'bad') : 'plain' }
}

/** '4.20% more than last year', '0.6 points below last year', or why there is no change. */
function changeWords(statistic: Statistic, change: ChangeText | null, { noChange }: Against): string {
  if (!change) return noChange ? `Not compared with last year: ${noChange.why}` : ''
  if (change.arrow === '=') return 'as last year'
  const up = change.arrow === '↑'
  if (!isShare(statistic)) return `${change.text} ${up ? 'more' : 'less'} than last year`
  return `${change.text} points ${up ? 'above' : 'below'} last year`
}

/** '3.9 points (5.12%) above the average', or why there is none. */
function distanceWords(country: Country, statistic: Statistic, cell: CellFigures, { noAverage }: Against): string {
  const value = shareOf(statistic, cell)?.value
  const distance = statistic === 'Adherence' ? cell.adherence_performance : cell.loyalty_performance
  if (value == null || distance == null) return noAverage ? `Not compared with the average: ${noAverage.why}` : ''
  const percent = formatPercent(country, Math.abs(distance))
  const difference = distanceIn(value, distance)
  if (difference === null) return `${percent} below the average`
  const points = pointsText(country, difference).replace(/^[+−-]/, '')
  if (!/[1-9]/.test(points)) return 'as the average'
  return `${points} points (${percent}) ${distance > 0 ? 'above' : 'below'} the average`
}

/** Parts as sentences: 'Between 76.3% and 82.5%. 3.9 points above the average.' */
function sentences(...parts: (string | undefined)[]): string {
  const said = parts
    .filter((part) => part !== undefined && part !== '')
    .map((part) => capital(part!).replace(/\.$/, ''))
  return said.length === 0 ? '' : `${said.join('. ')}.`
}

/** The small line as plain text, for print: '6,417 ↑ 4.20%'. */
export function belowText({ context, change, noChange }: CellText): string {
  return [context, change ? `${change.arrow} ${change.text}` : noChange].filter(Boolean).join(' ')
}
