import { type Goal, type GoalType, goalKpi, goalValue, type Measure, madeGoal } from '@pillar/domain/campaign/goal'
import type { GoalSums } from '../attribution/campaign-stat.queries.ts'

const KPIS = ['adherence', 'loyalty', 'scripts', 'visits'] as const

/** A value and its baseline, over the pharmacies that have both; `current` over all that have a value. */
interface Standing {
  current: number | null
  /** Only of pharmacies with a baseline. */
  compared: number | null
  baseline: number | null
}

type Part = (row: GoalSums) => number | null

/** Sums per pharmacy, now and before; for adherence and loyalty also the denominator. */
const PARTS: Readonly<
  Record<Exclude<GoalType, 'others'>, { now: Part; before: Part; whole?: Part; wholeBefore?: Part }>
> = {
  revenue: { now: (row) => inDollars(row.cents), before: (row) => inDollars(row.base_cents) },
  scripts: { now: (row) => row.scripts, before: (row) => row.base_scripts },
  visits: { now: (row) => row.visits, before: (row) => row.base_visits },
  adherence: {
    now: (row) => row.covered_days,
    before: (row) => row.base_covered_days,
    whole: (row) => row.observed_days,
    wholeBefore: (row) => row.base_observed_days,
  },
  loyalty: {
    now: (row) => row.here_slots,
    before: (row) => row.base_here_slots,
    whole: (row) => plus(row.here_slots, row.leaked_slots),
    wholeBefore: (row) => plus(row.base_here_slots, row.base_leaked_slots),
  },
}

const inDollars = (cents: number | null) => (cents === null ? null : cents / 100)
const plus = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b)
const sum = (rows: readonly GoalSums[], part: Part) => rows.reduce((total, row) => total + (part(row) ?? 0), 0)

/** Sums are added up, adherence and loyalty pooled: days covered of days observed, slots here of all slots. */
function standing(rows: readonly GoalSums[], type: GoalType): Standing {
  if (type === 'others') return { current: null, compared: null, baseline: null }
  const { now, before, whole, wholeBefore } = PARTS[type]
  const has = (part: Part, of?: Part) => (row: GoalSums) => part(row) !== null && (!of || Boolean(of(row)))
  const value = (some: readonly GoalSums[], part: Part, of?: Part) =>
    some.length === 0 ? null : sum(some, part) / (of ? sum(some, of) : 1)
  const some = rows.filter(has(now, whole))
  const both = some.filter(has(before, wholeBefore))
  return {
    current: value(some, now, whole),
    compared: value(both, now, whole),
    baseline: value(both, before, wholeBefore),
  }
}

/** Progress of the pharmacies together towards a campaign's goal, and its four changes against the baseline. Source: domain.md section 6. */
export function goalStanding(
  rows: readonly GoalSums[],
  campaign: { goal_type: GoalType; measure_by: Measure; goal: number },
) {
  const goal: Goal = { type: campaign.goal_type, measureBy: campaign.measure_by, amount: campaign.goal }
  const at = standing(rows, goal.type)
  const value = goalValue(goal, goal.measureBy === 'target' ? at.current : at.compared, at.baseline)
  const kpi = (type: (typeof KPIS)[number]) => {
    const { compared, baseline } = standing(rows, type)
    return goalKpi(type, compared, baseline)
  }
  return {
    current_goal_value: value,
    made_goal: madeGoal(goal, value),
    adherence_kpi: kpi('adherence'),
    loyalty_kpi: kpi('loyalty'),
    scripts_kpi: kpi('scripts'),
    visits_kpi: kpi('visits'),
  }
}
