import { SUBGROUPS } from '@pillar/contract/campaign/campaign-pictures'
import {
  type CampaignResult,
  differenceOfMeans,
  differenceRevenue,
  enoughMessaged,
  holdoutRevenue,
  MIN_CONTROLS,
  type Moments,
  meanOf,
  type RevenueMethod,
  resultOf,
  runRateRevenue,
} from '@pillar/domain/campaign/campaign-result'
import type { Subgroup } from '../attribution/campaign-group.queries.ts'
import type { CampaignRow, Group } from '../attribution/campaign-stat.queries.ts'

type Measured = Omit<Group, 'change_base'>
type CostRow = Pick<CampaignRow, 'cost_cents' | 'unread_cents' | 'unmeasured_cents'>
type RevenueRow = Pick<CampaignRow, 'groups' | 'reach' | 'attributed_people' | 'attributed_cents' | 'expected_cents'>

const total = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((sum, row) => sum + of(row), 0)

function dollarsOf(groups: readonly Measured[], part: Group['part']): Moments {
  const own = groups.filter((group) => group.part === part)
  return {
    n: total(own, ({ n }) => n),
    sum: total(own, ({ dollars }) => dollars),
    sumOfSquares: total(own, ({ dollars_squared }) => dollars_squared),
  }
}

function changeOf(groups: readonly Measured[], part: Group['part']): Moments {
  const own = groups.filter((group) => group.part === part)
  return {
    n: total(own, ({ change_n }) => change_n),
    sum: total(own, ({ change_dollars }) => change_dollars),
    sumOfSquares: total(own, ({ change_squared }) => change_squared),
  }
}

/** Patients messaged at these pharmacies: those with data for the days after the message, or else those reached. */
export function messagedOf(rows: readonly RevenueRow[]): number {
  const treated = rows.flatMap((row) => row.groups).filter(({ part }) => part === 'treated')
  return Math.max(
    total(treated, ({ n }) => n),
    total(rows, ({ reach }) => reach),
  )
}

/**
 * A campaign's revenue at some of its pharmacies, by the best method their patient numbers allow, or why there is no result. `preferred`
 * limits the method, so that a pharmacy uses its campaign's method if it has enough patients, otherwise the estimate. See
 * decision 020.
 */
export function campaignResult(rows: readonly RevenueRow[], preferred?: RevenueMethod): CampaignResult {
  const groups = rows.flatMap((row) => row.groups)
  const treated = groups.filter(({ part }) => part === 'treated')
  const answers = [
    holdoutRevenue(dollarsOf(groups, 'treated'), dollarsOf(groups, 'held_out')),
    differenceRevenue(
      changeOf(groups, 'treated'),
      changeOf(groups, 'not_messaged'),
      total(treated, ({ change_base }) => change_base),
    ),
    runRateRevenue(
      total(rows, (row) => row.attributed_people),
      total(rows, (row) => row.attributed_cents) / 100,
      total(rows, (row) => row.expected_cents) / 100,
    ),
  ]
  return resultOf(
    answers.filter((answer) => !preferred || answer?.method === preferred || answer?.method === 'run_rate'),
    messagedOf(rows),
  )
}

/** The cost of messages to people whose revenue a method knows, in dollars: only a holdout works without a year of data before. */
export function costBy(method: RevenueMethod | null, rows: readonly CostRow[]): number {
  const unknown =
    method === null ? null : method === 'holdout' ? ('unread_cents' as const) : ('unmeasured_cents' as const)
  return total(rows, (row) => row.cost_cents - (unknown === null ? 0 : row[unknown])) / 100
}

/** The groups a method compares: the people messaged, and their comparison group. */
const momentsBy = (method: 'holdout' | 'difference_in_differences', groups: readonly Measured[]) =>
  method === 'holdout'
    ? ([dollarsOf(groups, 'treated'), dollarsOf(groups, 'held_out')] as const)
    : ([changeOf(groups, 'treated'), changeOf(groups, 'not_messaged')] as const)

/**
 * The two groups a campaign's result compares, dollars per patient, and their difference, for everybody and by sex and age; empty if nobody
 * is compared. A sex or age is compared by the campaign's own method, and needs as many patients as a campaign does.
 */
export function comparedGroups(rows: readonly RevenueRow[], subgroups: readonly Subgroup[]) {
  const method = campaignResult(rows).found?.method
  if (method !== 'holdout' && method !== 'difference_in_differences')
    return { method: null, means: [], difference: null, subgroups: [] }
  const [messaged, others] = momentsBy(
    method,
    rows.flatMap((row) => row.groups),
  )
  return {
    method,
    means: [
      { part: 'messaged' as const, n: messaged.n, ...meanOf(messaged) },
      { part: 'compared' as const, n: others.n, ...meanOf(others) },
    ],
    difference: differenceIn(messaged, others),
    subgroups: SUBGROUPS.flatMap((subgroup) => {
      const [own, its] = momentsBy(
        method,
        subgroups.filter((one) => one.subgroup === subgroup),
      )
      const enough = enoughMessaged(own.n) && its.n >= MIN_CONTROLS
      const one = { subgroup, messaged: own.n, compared: its.n, difference: enough ? differenceIn(own, its) : null }
      return own.n + its.n > 0 ? [one] : []
    }),
  }
}

function differenceIn(messaged: Moments, others: Moments) {
  const { difference: mean, low, high } = differenceOfMeans(messaged, others)
  return { mean, low, high }
}
