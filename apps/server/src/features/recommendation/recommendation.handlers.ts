import type { contract } from '@pillar/contract'
import { Filters } from '@pillar/contract/campaign/cohort'
import { pagesOf, windowOf } from '@pillar/contract/wire/paging'
import { callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { recommendedPatients } from './patient-count.queries.ts'
import { countRecommendations } from './recommendation.jobs.ts'
import { listCampaignRecommendations, listTemplateRecommendations } from './recommendation.queries.ts'

/** Recommended templates, in calls under the noun `template`. */
export const templateRecommendationHandlers: Pick<HandlersOf<typeof contract.template>, 'recommendations'> = {
  async recommendations({ page, search_term, new: onlyUnused }, context) {
    const { rows, total } = await listTemplateRecommendations(tenantTx(context), {
      search: search_term,
      onlyUnused: onlyUnused === true,
      country: callerOf(context).country,
      now: context.services.now(),
      ...windowOf(page),
    })
    return { templates: rows, ...pagesOf(page, total) }
  },
}

/** Recommended campaigns, in calls under the noun `campaign`. */
export const campaignRecommendationHandlers: Pick<HandlersOf<typeof contract.campaign>, 'recommendations'> = {
  async recommendations({ page, search_term, new: onlyUnused }, context) {
    const tx = tenantTx(context)
    const { rows, total } = await listCampaignRecommendations(tx, {
      search: search_term,
      onlyUnused: onlyUnused === true,
      country: callerOf(context).country,
      now: context.services.now(),
      ...windowOf(page),
    })
    const { patients, missing } = await recommendedPatients(
      tx,
      rows.map((row) => row.campaign_recommendation_id),
    )
    if (missing) {
      const { companyId } = callerOf(context)
      await context.services.queue.send(tx, countRecommendations, { company_id: companyId }, `company-${companyId}`)
    }
    return {
      campaigns: rows.map((row) => ({
        ...row,
        filters: Filters.parse(row.filters),
        patients: patients.get(row.campaign_recommendation_id) ?? null,
      })),
      ...pagesOf(page, total),
    }
  },
}
