import { MIN_SHARE_N } from '../figure/interval.ts'
import { toTheCent } from '../figure/money.ts'
import type { Problem } from '../text/sentence.ts'
import { type Country, formatMoney, formatNumber, formatPercent, LOCALES, NO_VALUE } from '../time/locale.ts'

/** The figures for which a head office can set a target. */
export const TARGET_FIGURES = ['revenue', 'gross_profit', 'scripts', 'adherent_share', 'loyalty'] as const
export type TargetFigure = (typeof TARGET_FIGURES)[number]

export type TargetUnit = 'money' | 'count' | 'fraction'

interface FigureRule {
  readonly title: string
  readonly unit: TargetUnit
  /** Whether it adds up over the days of a period, so that a part of the target is due by now. A share is due in full at any time. */
  readonly adds: boolean
}

export const TARGET_RULES: Readonly<Record<TargetFigure, FigureRule>> = {
  revenue: { title: 'Revenue', unit: 'money', adds: true },
  gross_profit: { title: 'Gross profit', unit: 'money', adds: true },
  scripts: { title: 'Scripts', unit: 'count', adds: true },
  adherent_share: { title: 'Adherent patients', unit: 'fraction', adds: false },
  loyalty: { title: 'Loyalty', unit: 'fraction', adds: false },
}

/** The largest sum that can be a target: ten billion. */
const MOST = 10_000_000_000
/** The smallest; four decimals are stored. */
const LEAST = 0.0001

/**
 * What is wrong with a target as entered, field by field. A share is a fraction above 0 and at most 1.
 * @param value money in currency, a count, or a fraction; null while nothing is entered
 */
export function targetProblems(figure: TargetFigure, value: number | null): Problem<'value'>[] {
  const { unit } = TARGET_RULES[figure]
  if (value === null || !Number.isFinite(value) || value < LEAST)
    return [{ field: 'value', words: 'enter a target above 0' }]
  if (unit === 'fraction' && value > 1) return [{ field: 'value', words: 'enter a target of at most 100%' }]
  if (unit === 'count' && !Number.isInteger(value)) return [{ field: 'value', words: 'enter a whole number' }]
  return value > MOST ? [{ field: 'value', words: 'enter a smaller target' }] : []
}

/** Business days covered by the data, and all business days of the period. */
export interface Days {
  readonly elapsed: number
  readonly whole: number
  /** Whether days of the period are still to come although all business days have elapsed: the weekend it ends with. */
  readonly open?: boolean
}

/** A figure's value so far. */
export interface Actual {
  /** Money in currency, a count, or a fraction; null without data. */
  readonly value: number | null
  /** Observations behind a share; null for a sum. */
  readonly n: number | null
}

/**
 * - `none`: no data in the period yet
 * - `few`: a share of fewer than 10
 * - `reached`: the target is reached; a share in a running period is only `ahead`, as it may fall again
 * - `ahead`, `behind`: compared with what is due by now
 * - `missed`: the period is over
 */
export type TargetState = 'none' | 'few' | 'reached' | 'ahead' | 'behind' | 'missed'

export interface Standing {
  readonly state: TargetState
  /** What is due by now; null if that cannot be determined. */
  readonly expected: number | null
  /** Actual minus expected, or minus the target once the period is over; in fractions for a share. */
  readonly gap: number | null
  /** What each remaining business day must bring; null for a share, once reached, and when no day remains. */
  readonly needed: number | null
}

const NOTHING = { expected: null, gap: null, needed: null }

/**
 * How a figure compares with its target; money to the cent. By now a sum should have reached target × business days elapsed ÷ business days of
 * the period; a share should meet its target on any day.
 * @example target 100,000, 5 of 20 days gone, 20,000 so far: expected 25,000, behind by 5,000, needs 80,000 ÷ 15 a day
 */
export function standingOf(figure: TargetFigure, target: number, actual: Actual, days: Days): Standing {
  if (actual.value === null && actual.n !== null && actual.n > 0 && actual.n < MIN_SHARE_N)
    return { state: 'few', ...NOTHING }
  if (actual.value === null || days.elapsed === 0) return { state: 'none', ...NOTHING }
  const { adds, unit } = TARGET_RULES[figure]
  const written = (amount: number) => (unit === 'money' ? toTheCent(amount) : amount)
  const counted = days.elapsed >= days.whole
  const over = counted && !days.open
  const due = adds && !counted ? (target * days.elapsed) / days.whole : target
  const left = target - actual.value
  const [expected, gap] = [written(due), written(actual.value - due)]
  if (over) return { state: left <= 0 ? 'reached' : 'missed', expected, gap, needed: null }
  if (adds && left <= 0) return { state: 'reached', expected, gap, needed: null }
  const needed = adds && !counted ? written(left / (days.whole - days.elapsed)) : null
  return { state: actual.value >= due ? 'ahead' : 'behind', expected, gap, needed }
}

/** An amount of a figure as shown: '$12,400', '1,240', '61.50%'. */
export function targetText(country: Country, figure: TargetFigure, value: number | null): string {
  const { unit } = TARGET_RULES[figure]
  if (unit === 'money') return formatMoney(country, value)
  return unit === 'count' ? formatNumber(country, value) : formatPercent(country, value)
}

/** The size of a gap: '$12,400', '1,240', '1.2 points'. */
function gapText(country: Country, figure: TargetFigure, gap: number): string {
  const size = Math.abs(gap)
  if (TARGET_RULES[figure].unit !== 'fraction') return targetText(country, figure, size)
  const points = formatNumber(country, size * 100, 1)
  return `${points} ${points === '1.0' ? 'point' : 'points'}`
}

/** Whether a gap shows as more than zero. */
const shows = (text: string) => /[1-9]/.test(text)

/** The comparison in words: '$12,400 behind the pace needed', 'Target reached', '1.2 points below the target'. */
export function standingText(country: Country, figure: TargetFigure, { state, gap }: Standing): string {
  if (state === 'none')
    return figure === 'gross_profit' ? 'No cost sent in this period yet' : 'No data in this period yet'
  if (state === 'few') return 'Too few patients to tell'
  const size = gapText(country, figure, gap ?? 0)
  const { adds } = TARGET_RULES[figure]
  if (state === 'missed') return shows(size) ? `Target missed by ${size}` : 'Target just missed'
  if (state === 'reached') return 'Target reached'
  if (!shows(size)) return adds ? 'Exactly at the pace needed' : 'Exactly at the target'
  if (adds) return `${size} ${state === 'ahead' ? 'ahead of' : 'behind'} the pace needed`
  return `${size} ${state === 'ahead' ? 'above' : 'below'} the target`
}

/** What each remaining day must bring: 'needs $8,200 a business day'; null if nothing has to be made up day by day. */
export function neededText(country: Country, figure: TargetFigure, { needed }: Standing): string | null {
  return needed === null ? null : `needs ${targetText(country, figure, Math.ceil(needed))} a business day`
}

/** Whether the words are good news, bad news, or neither. */
export function standingTone({ state }: Standing): 'good' | 'bad' | 'plain' {
  if (state === 'reached' || state === 'ahead') return 'good'
  return state === 'behind' || state === 'missed' ? 'bad' : 'plain'
}

/** The label of the field a target is entered in, with its unit. */
export function targetLabel(country: Country, figure: TargetFigure): string {
  const { unit } = TARGET_RULES[figure]
  if (unit === 'money') return `Target (${LOCALES[country].currencySymbol})`
  return unit === 'count' ? 'Target' : 'Target (%)'
}

/** 'Target $120,000'. */
export const targetTitle = (country: Country, figure: TargetFigure, value: number | null): string =>
  value === null ? NO_VALUE : `Target ${targetText(country, figure, value)}`
