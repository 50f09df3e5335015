import { Refusal } from '@pillar/contract'
import { type CohortForecast, Filters } from '@pillar/contract/campaign/cohort'
import { ceilingProblem } from '@pillar/domain/campaign/approval'
import { type Context, callerOf } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { cohortOf } from '../../cohort/cohort-question.ts'
import { forecastCohort } from '../../cohort/forecast.ts'
import { type Approval, ceilingOf } from '../../run/approval.queries.ts'
import { pharmaciesOfCampaign } from '../../run/run-source.queries.ts'
import type { CampaignText } from '../../template/text.queries.ts'
import type { CampaignRow } from '../campaign.queries.ts'

/** What an activation would send: these texts, from this instant on, under this approval if it needs one. */
export interface Sending {
  texts: readonly CampaignText[]
  from: Date
  approval: Approval | null
}

/** Counts what an activation would send. @throws Refusal conflict if that is more than was approved */
export async function countApproved(
  tx: Tx,
  campaign: CampaignRow,
  { texts, from, approval }: Sending,
  context: Context,
): Promise<CohortForecast> {
  const { country } = callerOf(context)
  const cohort = await cohortOf(tx, {
    locationIds: await pharmaciesOfCampaign(tx, campaign.id),
    filters: Filters.parse(campaign.filters),
    texts,
    campaignId: campaign.id,
    noHoldout: campaign.no_holdout,
    country,
    now: context.services.now(),
    notBefore: from,
    system: context.services.pools.system,
  })
  const counted = await forecastCohort(tx, context.services, cohort)
  if (approval === null) return counted
  const { will_receive: people, cents } = counted
  const problem = ceilingProblem(ceilingOf(approval), { people, cents }, country)
  if (problem !== '') throw new Refusal('conflict', `${problem} Nothing was sent. Please ask for approval again.`)
  return counted
}
