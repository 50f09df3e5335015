import { rateOfChange } from '../figure/baseline.ts'
import { toTheCent } from '../figure/money.ts'
import type { Day } from '../time/day.ts'
import { type Country, formatMoney, formatNumber, LOCALES } from '../time/locale.ts'

/** What a campaign can aim at. Only older campaigns have `visits` and `others`; new ones use the first four. */
export const GOAL_TYPES = ['revenue', 'adherence', 'loyalty', 'scripts', 'visits', 'others'] as const
export type GoalType = (typeof GOAL_TYPES)[number]
export const OFFERED_GOAL_TYPES = ['revenue', 'adherence', 'loyalty', 'scripts'] as const satisfies readonly GoalType[]

/** The largest goal that can be stored. */
export const MOST_GOAL = 999_999_999_999

export const MEASURES = ['target', 'percentage', 'value'] as const
export type Measure = (typeof MEASURES)[number]

export interface Goal {
  readonly type: GoalType
  readonly measureBy: Measure
  /** Above 0: currency, a count, or percent (and points) as written, such as 80 for 80%. */
  readonly amount: number
}

export const GOAL_NAMES: Readonly<Record<GoalType, string>> = {
  revenue: 'Revenue',
  adherence: 'Adherence',
  loyalty: 'Loyalty',
  scripts: 'Scripts',
  visits: 'Visits',
  others: 'Others',
}

/** Adherence and loyalty are fractions at a point in time; the others are sums over the campaign's days. */
export function isState(type: GoalType): boolean {
  return type === 'adherence' || type === 'loyalty'
}

/** The measures allowed for a goal type: `value` is not offered for adherence and loyalty. */
export function measuresFor(type: GoalType): readonly Measure[] {
  return isState(type) ? ['target', 'percentage'] : MEASURES
}

/** The measure to keep when the goal type changes; null when it no longer fits. */
export function keptMeasure(type: GoalType, measure: Measure | null): Measure | null {
  return measure !== null && measuresFor(type).includes(measure) ? measure : null
}

/**
 * Progress of a campaign in the units of its goal. `current` and `baseline`: sums from start to min(now, end) and over the same
 * dates last year; for adherence and loyalty fractions 0..1 now and on the day before the start. Null when a value it needs is missing or
 * divides by 0. See docs/metrics.md, Messages.
 */
export function goalValue(goal: Goal, current: number | null, baseline: number | null): number | null {
  if (current === null) return null
  if (goal.measureBy === 'target') return isState(goal.type) ? current * 100 : current
  if (baseline === null) return null
  if (isState(goal.type)) return (current - baseline) * 100
  if (goal.measureBy === 'value') return toTheCent(current - baseline)
  const change = rateOfChange(current, baseline)
  return change === null ? null : change * 100
}

// Floating point leaves fractions slightly below whole percents (0.83 - 0.8); such a goal counts as reached.
const ALMOST = 1e-9

/** Whether a goal is reached: its value is at least the amount. False without a value. */
export function madeGoal(goal: Goal, value: number | null): boolean {
  return value !== null && value >= goal.amount - Math.abs(goal.amount) * ALMOST
}

/** Change against the baseline as the campaign's KPIs show it: points (×100) for adherence and loyalty, a fraction for scripts and visits. */
export function goalKpi(
  type: 'adherence' | 'loyalty' | 'scripts' | 'visits',
  current: number | null,
  baseline: number | null,
): number | null {
  if (current === null || baseline === null) return null
  if (isState(type)) return (current - baseline) * 100
  return baseline === 0 ? null : (current - baseline) / baseline
}

/** An amount or value in a goal's unit: currency for revenue not measured by percentage, % for percentages and for adherence and loyalty, else a count. */
export function formatGoalAmount(country: Country, goal: Pick<Goal, 'type' | 'measureBy'>, amount: number | null) {
  if (isState(goal.type) || goal.measureBy === 'percentage') {
    return amount === null ? formatNumber(country, null) : `${formatNumber(country, amount, 2)}%`
  }
  const decimals = amount === null || Number.isInteger(amount) ? 0 : 2
  if (goal.type === 'revenue') return formatMoney(country, amount, decimals)
  return formatNumber(country, amount, decimals)
}

/** The prefix and suffix of an amount field: the currency sign, the percent sign, or nothing. */
export function goalAffix(country: Country, goal: Pick<Goal, 'type' | 'measureBy'>) {
  const percent = isState(goal.type) || goal.measureBy === 'percentage'
  return {
    prefix: !percent && goal.type === 'revenue' ? LOCALES[country].currencySymbol : '',
    suffix: percent ? '%' : '',
  }
}

/** 'to' for a target, 'by' for the other measures. */
export function goalWord(measure: Measure): 'to' | 'by' {
  return measure === 'target' ? 'to' : 'by'
}

/** A goal in words: 'Revenue to $40,000', 'Adherence by 3.00%', 'Scripts by 120'. */
export function goalText(country: Country, goal: Goal): string {
  return `${GOAL_NAMES[goal.type]} ${goalWord(goal.measureBy)} ${formatGoalAmount(country, goal, goal.amount)}`
}

/** Days left at which the figure turns red. */
export const RED_DAYS_LEFT = 7

/** Days until the end, by the pharmacy's calendar: 0 on the last day and after; null without an end. */
export function daysLeft(end: Day | null, today: Day): number | null {
  return end === null ? null : Math.max(0, end - today)
}

/** Whether the days left are shown red. */
export function isRed(left: number | null): boolean {
  return left !== null && left <= RED_DAYS_LEFT
}
