import { Filters } from '@pillar/contract/campaign/cohort'
import { type Context, callerOf, tenantTx } from '../../api/context.ts'
import { cohortOf } from '../cohort/cohort-question.ts'
import { forecastCohort } from '../cohort/forecast.ts'
import { pharmaciesOfCampaign } from '../run/run-source.queries.ts'
import { findTexts } from '../template/text.queries.ts'
import { completenessProblem } from './activate.ts'
import { findCampaign } from './campaign.queries.ts'

const NOTHING = { messages: 0, channels: [], will_receive: 0, held_back: 0, cents: 0 }

/** What activating a campaign would send, its inactive templates included; only counts. */
export async function forecastFor(uuid: string, context: Context) {
  const tx = tenantTx(context)
  const campaign = await findCampaign(tx, uuid)
  const problem = completenessProblem(campaign)
  if (problem !== '') return { ...NOTHING, problem }
  const texts = await findTexts(
    tx,
    campaign.templates.map(({ template_id }) => ({ template_id, template_recommendation_id: null })),
  )
  const cohort = await cohortOf(tx, {
    locationIds: await pharmaciesOfCampaign(tx, campaign.id),
    filters: Filters.parse(campaign.filters),
    texts,
    campaignId: campaign.id,
    noHoldout: campaign.no_holdout,
    country: callerOf(context).country,
    now: context.services.now(),
  })
  const { messages, channels, will_receive, held_back, cents } = await forecastCohort(tx, context.services, cohort)
  return { messages, channels, will_receive, held_back, cents, problem }
}
