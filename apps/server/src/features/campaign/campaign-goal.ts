import { type Goal, type GoalType, goalKpi, goalValue, type Measure, madeGoal } from '@pillar/domain/campaign/goal'
import { type GoalState, goalPace, goalPlace } from '@pillar/domain/campaign/goal-pace'
import { MIN_SHARE_N } from '@pillar/domain/figure/interval'
import { day as dayOf } from '@pillar/domain/time/day'
import type { GoalSums } from '../attribution/campaign-stat.queries.ts'

const KPIS = ['adherence', 'loyalty', 'scripts', 'visits'] as const

type Part = (row: GoalSums) => number | null

const plus = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b)
const slots: Part = (row) => plus(row.here_slots, row.leaked_slots)
const slotsBefore: Part = (row) => plus(row.base_here_slots, row.base_leaked_slots)

/** A share's denominator, and the number of pairs or slots behind it. */
interface Whole {
  of: Part
  rests: Part
}

/** Sums per pharmacy, money in cents, now and before; for adherence and loyalty also their denominators. */
const PARTS: Readonly<
  Record<Exclude<GoalType, 'others'>, { now: Part; before: Part; all?: Part; whole?: Whole; wholeBefore?: Whole }>
> = {
  revenue: { now: (row) => row.cents, before: (row) => row.base_cents, all: (row) => row.whole_base_cents },
  scripts: { now: (row) => row.scripts, before: (row) => row.base_scripts, all: (row) => row.whole_base_scripts },
  visits: { now: (row) => row.visits, before: (row) => row.base_visits, all: (row) => row.whole_base_visits },
  adherence: {
    now: (row) => row.covered_days,
    before: (row) => row.base_covered_days,
    whole: { of: (row) => row.observed_days, rests: (row) => row.measured_pairs },
    wholeBefore: { of: (row) => row.base_observed_days, rests: (row) => row.base_measured_pairs },
  },
  loyalty: {
    now: (row) => row.here_slots,
    before: (row) => row.base_here_slots,
    whole: { of: slots, rests: slots },
    wholeBefore: { of: slotsBefore, rests: slotsBefore },
  },
}

const sum = (rows: readonly GoalSums[], part: Part) => rows.reduce((total, row) => total + (part(row) ?? 0), 0)

/**
 * Sums are added up, over all pharmacies with a value or with both; adherence and loyalty are pooled: days covered out of days observed,
 * slots here out of all slots; null under ten pairs or slots.
 */
function standing(rows: readonly GoalSums[], type: GoalType): GoalState {
  if (type === 'others') return { current: null, compared: null, baseline: null, wholeBaseline: null }
  const { now, before, all, whole, wholeBefore } = PARTS[type]
  const has = (part: Part, share?: Whole) => (row: GoalSums) => part(row) !== null && (!share || Boolean(share.of(row)))
  const value = (some: readonly GoalSums[], part: Part, share?: Whole) => {
    if (some.length === 0) return null
    if (!share) return type === 'revenue' ? sum(some, part) / 100 : sum(some, part)
    return sum(some, share.rests) < MIN_SHARE_N ? null : sum(some, part) / sum(some, share.of)
  }
  const some = rows.filter(has(now, whole))
  const both = some.filter(has(before, wholeBefore))
  return {
    current: value(some, now, whole),
    compared: value(both, now, whole),
    baseline: value(both, before, wholeBefore),
    // With a value from only some of them it would be too low to measure the goal against.
    wholeBaseline: all && both.every(has(all)) ? value(both, all) : null,
  }
}

/** A campaign's goal and dates. */
export interface Aim {
  goal_type: GoalType
  measure_by: Measure
  goal: number
  start_day: string | null
  end_day: string | null
}

const goalOf = ({ goal_type, measure_by, goal }: Aim): Goal => ({
  type: goal_type,
  measureBy: measure_by,
  amount: goal,
})

/** A campaign's progress in the units of its goal; null until something is sent, however near the goal it was from the start. */
export function progressOf(rows: readonly GoalSums[], campaign: Aim): number | null {
  if (!rows.some(({ started }) => started)) return null
  const goal = goalOf(campaign)
  const at = standing(rows, goal.type)
  return goalValue(goal, goal.measureBy === 'target' ? at.current : at.compared, at.baseline)
}

/** Whether the pharmacies together have reached the campaign's goal. */
export const madeIt = (rows: readonly GoalSums[], campaign: Aim): boolean =>
  madeGoal(goalOf(campaign), progressOf(rows, campaign))

/** Where its goal stands between start and end, with the pace needed for the remaining days. */
export function placeOf(rows: readonly GoalSums[], campaign: Aim) {
  const goal = goalOf(campaign)
  const at = standing(rows, goal.type)
  const value = progressOf(rows, campaign)
  const started = rows.some((row) => row.started)
  const measuredTo =
    rows
      .flatMap(({ to_day }) => (to_day === null ? [] : [to_day]))
      .sort()
      .at(-1) ?? null
  const place = goalPlace(goal, at)
  const span = daysOf(campaign, measuredTo)
  const pace = span && goalPace(goal, at, value, span)
  return {
    started,
    ...place,
    now: started ? place.now : null,
    measured_to: measuredTo,
    pace: pace && { unit: pace.unit, needed: pace.needed, so_far: pace.soFar, days: pace.days, behind: pace.behind },
  }
}

/** Days counted and days left of a campaign with both dates and data. */
function daysOf({ start_day, end_day }: Aim, measuredTo: string | null) {
  if (start_day === null || end_day === null || measuredTo === null) return null
  const [start, end, to] = [dayOf(start_day), dayOf(end_day), dayOf(measuredTo)]
  return { days: Math.max(0, to - start + 1), left: Math.max(0, end - Math.max(to, start - 1)) }
}

/**
 * Progress of the pharmacies together towards a campaign's goal, and its four changes against the baseline, which are null if too few
 * patients were messaged to call them results (`tell`). See docs/metrics.md, Messages.
 */
export function goalStanding(rows: readonly GoalSums[], campaign: Aim, tell: boolean) {
  const value = progressOf(rows, campaign)
  const kpi = (type: (typeof KPIS)[number]) => {
    const { compared, baseline } = standing(rows, type)
    return tell ? goalKpi(type, compared, baseline) : null
  }
  return {
    current_goal_value: value,
    made_goal: madeIt(rows, campaign),
    adherence_kpi: kpi('adherence'),
    loyalty_kpi: kpi('loyalty'),
    scripts_kpi: kpi('scripts'),
    visits_kpi: kpi('visits'),
  }
}
