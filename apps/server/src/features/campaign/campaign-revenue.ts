import {
  type CampaignResult,
  differenceOfMeans,
  differenceRevenue,
  holdoutRevenue,
  type Moments,
  meanOf,
  type RevenueMethod,
  resultOf,
  runRateRevenue,
} from '@pillar/domain/campaign/campaign-result'
import type { CampaignRow, Group } from '../attribution/campaign-stat.queries.ts'

type RevenueRow = Pick<CampaignRow, 'groups' | 'reach' | 'attributed_people' | 'attributed_cents' | 'expected_cents'>

const total = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((sum, row) => sum + of(row), 0)

function dollarsOf(groups: readonly Group[], part: Group['part']): Moments {
  const own = groups.filter((group) => group.part === part)
  return {
    n: total(own, ({ n }) => n),
    sum: total(own, ({ dollars }) => dollars),
    sumOfSquares: total(own, ({ dollars_squared }) => dollars_squared),
  }
}

function changeOf(groups: readonly Group[], part: Group['part']): Moments {
  const own = groups.filter((group) => group.part === part)
  return {
    n: total(own, ({ change_n }) => change_n),
    sum: total(own, ({ change_dollars }) => change_dollars),
    sumOfSquares: total(own, ({ change_squared }) => change_squared),
  }
}

/** Patients messaged at these pharmacies: those whose days after it are in the data, or else those reached. */
export function messagedOf(rows: readonly RevenueRow[]): number {
  const treated = rows.flatMap((row) => row.groups).filter(({ part }) => part === 'treated')
  return Math.max(
    total(treated, ({ n }) => n),
    total(rows, ({ reach }) => reach),
  )
}

/**
 * What a campaign brought at some of its pharmacies, by the best method their patient numbers allow, or why nothing can be said.
 * `preferred` limits the method, so that a pharmacy uses its campaign's method when it has enough
 * patients, else the estimate. Source: domain.md section 6, decision 020.
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

/** The two groups a campaign's result compares, dollars a patient, and their difference; empty where nobody is compared. */
export function comparedGroups(rows: readonly RevenueRow[]) {
  const method = campaignResult(rows).found?.method
  if (method !== 'holdout' && method !== 'difference_in_differences')
    return { method: null, means: [], difference: null }
  const groups = rows.flatMap((row) => row.groups)
  const [messaged, others] =
    method === 'holdout'
      ? [dollarsOf(groups, 'treated'), dollarsOf(groups, 'held_out')]
      : [changeOf(groups, 'treated'), changeOf(groups, 'not_messaged')]
  const { difference, low, high } = differenceOfMeans(messaged, others)
  return {
    method,
    means: [
      { part: 'messaged' as const, n: messaged.n, ...meanOf(messaged) },
      { part: 'compared' as const, n: others.n, ...meanOf(others) },
    ],
    difference: { mean: difference, low, high },
  }
}
