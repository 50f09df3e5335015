import { type Goal, type GoalType, goalKpi, goalValue, type Measure, madeGoal } from '@pillar/domain/campaign/goal'
import { MIN_SHARE_N } from '@pillar/domain/figure/interval'
import type { GoalSums } from '../attribution/campaign-stat.queries.ts'

const KPIS = ['adherence', 'loyalty', 'scripts', 'visits'] as const

/** A value and its baseline, over the pharmacies that have both; `current` over all that have a value. A share of too few is null. */
interface Standing {
  current: number | null
  /** Only of pharmacies with a baseline. */
  compared: number | null
  baseline: number | null
}

type Part = (row: GoalSums) => number | null

const plus = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b)
const slots: Part = (row) => plus(row.here_slots, row.leaked_slots)
const slotsBefore: Part = (row) => plus(row.base_here_slots, row.base_leaked_slots)

/** A share's denominator, and how many pairs or slots it rests on. */
interface Whole {
  of: Part
  rests: Part
}

/** Sums per pharmacy, now and before; for adherence and loyalty also what they are a share of. */
const PARTS: Readonly<
  Record<Exclude<GoalType, 'others'>, { now: Part; before: Part; whole?: Whole; wholeBefore?: Whole }>
> = {
  revenue: { now: (row) => inDollars(row.cents), before: (row) => inDollars(row.base_cents) },
  scripts: { now: (row) => row.scripts, before: (row) => row.base_scripts },
  visits: { now: (row) => row.visits, before: (row) => row.base_visits },
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

const inDollars = (cents: number | null) => (cents === null ? null : cents / 100)
const sum = (rows: readonly GoalSums[], part: Part) => rows.reduce((total, row) => total + (part(row) ?? 0), 0)

/** Sums are added up, adherence and loyalty pooled: days covered of days observed, slots here of all slots; null under ten pairs or slots. */
function standing(rows: readonly GoalSums[], type: GoalType): Standing {
  if (type === 'others') return { current: null, compared: null, baseline: null }
  const { now, before, whole, wholeBefore } = PARTS[type]
  const has = (part: Part, share?: Whole) => (row: GoalSums) => part(row) !== null && (!share || Boolean(share.of(row)))
  const value = (some: readonly GoalSums[], part: Part, share?: Whole) => {
    if (some.length === 0) return null
    if (!share) return sum(some, part)
    return sum(some, share.rests) < MIN_SHARE_N ? null : sum(some, part) / sum(some, share.of)
  }
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
