import { type Goal, isState, madeGoal } from './goal.ts'

/** A goal's sums or shares, as in goalValue: sums since the start and over the same dates last year, or fractions 0..1 now and before the start. */
export interface GoalState {
  /** All pharmacies with a value. */
  readonly current: number | null
  /** Only the pharmacies that also have a baseline. */
  readonly compared: number | null
  readonly baseline: number | null
  /** Sums only: the same dates last year up to the campaign's end; null without an end. */
  readonly wholeBaseline: number | null
}

/** A goal on one scale: currency, a count, or percent for adherence and loyalty. Null for what is unknown. */
export interface GoalPlace {
  readonly start: number | null
  readonly now: number | null
  readonly goal: number | null
}

/**
 * The three marks of a goal's meter. A sum to reach starts at 0; a sum to raise starts at last year's same dates, and its goal adds the amount.
 * Adherence and loyalty start from the day before the campaign. See docs/metrics.md, Messages.
 */
export function goalPlace(goal: Goal, { current, compared, baseline }: GoalState): GoalPlace {
  const scale = isState(goal.type) ? 100 : 1
  const times = (value: number | null) => (value === null ? null : value * scale)
  if (goal.measureBy === 'target') {
    return { start: isState(goal.type) ? times(baseline) : 0, now: times(current), goal: goal.amount }
  }
  const start = times(baseline)
  const raised = isState(goal.type) || goal.measureBy === 'value'
  const end = start === null ? null : raised ? start + goal.amount : raisedBy(start, goal.amount)
  return { start, now: times(compared), goal: end }
}

/** A sum raised by this many percent; the result is higher even when refunds make the sum negative. */
const raisedBy = (sum: number, percent: number) => sum + (Math.abs(sum) * percent) / 100

/** How far the meter is from start to goal, 0..1; null if a mark is missing or start and goal are equal. */
export function placeMeter({ start, now, goal }: GoalPlace): number | null {
  if (start === null || now === null || goal === null || goal <= start) return null
  return Math.min(1, Math.max(0, (now - start) / (goal - start)))
}

/** The pace needed in the rest of a campaign to reach its goal, and the pace so far, in the same unit. */
export interface Pace {
  readonly unit: 'percent' | 'a_day' | 'points_a_week'
  readonly needed: number
  /** Null until a day has passed. */
  readonly soFar: number | null
  readonly days: number
  readonly behind: boolean
}

const WEEK = 7

/**
 * The pace a goal needs on the days that are left. Percent: how far above last year the rest must be ((goal of the whole span - now) / last year's
 * rest - 1). Other sums: an amount a day. Adherence and loyalty: points a week. Null once reached, without days left, or if an input is missing.
 * @param days counted so far @param left days still to come
 */
export function goalPace(
  goal: Goal,
  state: GoalState,
  value: number | null,
  { days, left }: { days: number; left: number },
): Pace | null {
  if (value === null || left <= 0 || madeGoal(goal, value)) return null
  if (isState(goal.type)) {
    const { start } = goalPlace(goal, state)
    const moved = goal.measureBy === 'target' ? (start === null ? null : value - start) : value
    return paceOf('points_a_week', goal.amount - value, moved, { days: days / WEEK, left: left / WEEK }, left)
  }
  if (goal.measureBy !== 'percentage') return paceOf('a_day', goal.amount - value, value, { days, left }, left)
  const { compared, baseline, wholeBaseline } = state
  if (compared === null || baseline === null || wholeBaseline === null) return null
  const rest = wholeBaseline - baseline
  if (rest <= 0) return null
  const needed = ((raisedBy(wholeBaseline, goal.amount) - compared - rest) / rest) * 100
  return { unit: 'percent', needed, soFar: value, days: left, behind: isAbove(needed, value) }
}

// Equal paces can differ by a rounding of floating point, which must not read as behind.
const isAbove = (needed: number, soFar: number) => needed - soFar > Math.abs(needed) * 1e-9

function paceOf(
  unit: Pace['unit'],
  missing: number,
  moved: number | null,
  over: { days: number; left: number },
  left: number,
): Pace {
  const needed = missing / over.left
  const soFar = moved === null || over.days <= 0 ? null : moved / over.days
  return { unit, needed, soFar, days: left, behind: soFar !== null && isAbove(needed, soFar) }
}
