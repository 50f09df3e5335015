import type { Campaign } from '@pillar/contract/campaign/campaign'
import { Filters } from '@pillar/contract/campaign/cohort'
import { daysLeft } from '@pillar/domain/campaign/goal'
import { type Day, day as dayOf } from '@pillar/domain/time/day'
import type { GoalSums } from '../attribution/campaign-stat.queries.ts'
import type { CampaignRow } from './campaign.queries.ts'
import { madeIt, placeOf, progressOf } from './campaign-goal.ts'

/** A campaign as on the wire; `sums` of other pharmacies are ignored. */
export function campaignAnswer(
  row: CampaignRow,
  today: Day,
  sums: readonly (GoalSums & { campaign_id: number })[],
): Campaign {
  const own = sums.filter((one) => one.campaign_id === row.id)
  const { id: _, uuid, start_day, end_day, recommendation_uuid, filters, next_at, ...rest } = row
  return {
    ...rest,
    campaign_id: uuid,
    start_date: start_day,
    end_date: end_day,
    days_left: daysLeft(end_day === null ? null : dayOf(end_day), today),
    filters: Filters.parse(filters),
    next_at: next_at?.toISOString() ?? null,
    campaign_recommendation_id: recommendation_uuid,
    pharmacies: row.locations.map((location) => location.location_id),
    current_goal_value: progressOf(own, row),
    made_goal: madeIt(own, row),
    goal_place: placeOf(own, row),
  }
}
