import {
  bestRevenue,
  type CampaignRevenue,
  differenceRevenue,
  holdoutRevenue,
  type Moments,
  type RevenueMethod,
} from '@pillar/domain/campaign/campaign-result'
import type { CampaignRow, Group } from '../attribution/campaign-stat.queries.ts'

type RevenueRow = Pick<CampaignRow, 'groups' | 'attributed_people' | 'attributed_cents' | 'expected_cents'>

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

/**
 * Revenue of a campaign at some of its pharmacies, by the best method their patient numbers allow; null before there is anything to
 * measure. `preferred` limits the method, so that a pharmacy uses its campaign's method when it has enough
 * patients, else the estimate. Source: domain.md section 6, decision 020.
 */
export function campaignRevenue(rows: readonly RevenueRow[], preferred?: RevenueMethod): CampaignRevenue | null {
  const groups = rows.flatMap((row) => row.groups)
  const treated = groups.filter(({ part }) => part === 'treated')
  const answers = [
    holdoutRevenue(dollarsOf(groups, 'treated'), dollarsOf(groups, 'held_out')),
    differenceRevenue(
      changeOf(groups, 'treated'),
      changeOf(groups, 'not_messaged'),
      total(treated, ({ change_base }) => change_base),
    ),
    runRate(rows),
  ]
  return bestRevenue(
    answers.filter((answer) => !preferred || answer?.method === preferred || answer?.method === 'run_rate'),
  )
}

/** The domain's run-rate over sums: dispensed revenue less what the previous year predicts. Null without patients. */
function runRate(rows: readonly RevenueRow[]): CampaignRevenue | null {
  if (total(rows, (row) => row.attributed_people) === 0) return null
  const attributed = total(rows, (row) => row.attributed_cents) / 100
  const expected = total(rows, (row) => row.expected_cents) / 100
  const revenue = attributed - expected
  return { method: 'run_rate', revenue, interval: null, change: expected > 0 ? revenue / expected : null }
}
