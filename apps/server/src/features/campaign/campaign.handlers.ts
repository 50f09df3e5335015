import { type contract, type InputOf, Refusal } from '@pillar/contract'
import { pagesOf, windowOf } from '@pillar/contract/wire/paging'
import { campaignProblem, recommendedCampaignProblem } from '@pillar/domain/campaign/campaign-rule'
import { dayBounds } from '@pillar/domain/time/local-time'
import { recordAudit } from '../../api/audit.ts'
import { dayFrom } from '../../api/call/day-sent.ts'
import { companyZone, todayOf } from '../../api/call/today.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { goalRows } from '../attribution/campaign-stat.queries.ts'
import { cohortOf } from '../cohort/cohort-question.ts'
import { forecastCohort } from '../cohort/forecast.ts'
import { forecastCsv } from '../cohort/forecast-csv.ts'
import type { SendWindow } from '../cohort/send-window.ts'
import { resolveLocations } from '../location/location.queries.ts'
import { findTexts } from '../template/text.queries.ts'
import { activateCampaign } from './activate.ts'
import { findCampaignRecommendation } from './adopt.queries.ts'
import { affectedTemplates, findCampaign, insertCampaign, listCampaigns, lockCampaign } from './campaign.queries.ts'
import { campaignAnswer } from './campaign-answer.ts'
import { checkFilters, draftOf } from './campaign-input.ts'
import { runHandlers } from './campaign-run.handlers.ts'
import { campaignStatsHandlers } from './campaign-stats.handlers.ts'
import { saveCampaign } from './save-campaign.ts'

type CampaignHandlers = Omit<HandlersOf<typeof contract.campaign>, 'recommendations'>

export const campaignHandlers: CampaignHandlers = {
  ...campaignStatsHandlers,
  ...runHandlers,

  async list({ page, active, search_term }, context) {
    const filter = { active: active ?? null, search: search_term, ...windowOf(page) }
    const { rows, total } = await listCampaigns(tenantTx(context), filter)
    const today = todayOf(context)
    const sums = await goalRows(
      tenantTx(context),
      rows.map((row) => row.id),
    )
    return { campaigns: rows.map((row) => campaignAnswer(row, today, sums)), ...pagesOf(page, total) }
  },

  async info({ id }, context) {
    const tx = tenantTx(context)
    const campaign = await findCampaign(tx, id)
    return campaignAnswer(campaign, todayOf(context), await goalRows(tx, [campaign.id]))
  },

  async create({ active, campaign_recommendation_id, expected_messages, ...input }, context) {
    const tx = tenantTx(context)
    const { companyId, loginId } = callerOf(context)
    const recommendationId = campaign_recommendation_id
      ? await findCampaignRecommendation(tx, campaign_recommendation_id)
      : null
    const problem = recommendationId === null ? campaignProblem : recommendedCampaignProblem
    const draft = await draftOf(tx, input, context, { problem, startBefore: null })
    const by = { companyId, loginId, now: context.services.now(), recommendationId, description: null }
    const { uuid } = await insertCampaign(tx, draft, by)
    if (!active) return { id: uuid, run_id: null, starts_at: null }
    const { start_date, end_date } = input
    const ask = { templates: null, start_date, end_date, expected: expected_messages ?? null }
    const { run_id, starts_at } = await activateCampaign(tx, await lockCampaign(tx, uuid), ask, context)
    return { id: uuid, run_id, starts_at }
  },

  async edit({ id, version, active, campaign_recommendation_id: _, ...input }, context) {
    const tx = tenantTx(context)
    const before = await lockCampaign(tx, id)
    if (before.demo) throw new Refusal('conflict', 'This is a demo campaign and cannot be edited.')
    if (version != null && version !== before.version)
      throw new Refusal('conflict', 'Somebody else saved this campaign meanwhile. Please open it again.')
    if (active != null && active !== before.active)
      throw new Refusal(
        'invalid',
        `Please ${active ? 'activate' : 'deactivate'} the campaign rather than saving it so.`,
      )
    const problem = before.recommendation_uuid === null ? campaignProblem : recommendedCampaignProblem
    return { id, version: await saveCampaign(tx, before, input, context, { problem }) }
  },

  async cohort(input, context) {
    const { cohort, tx } = await askedCohort(input, context)
    return forecastCohort(tx, context.services, cohort, sendWindowOf(input, context))
  },

  async cohortCsv(input, context) {
    const { cohort, tx } = await askedCohort(input, context)
    const ledger = await forecastCohort(tx, context.services, cohort)
    const [object, detail] = [input.campaign_id ?? null, { rows: ledger.pharmacies.length }]
    await recordAudit(tx, { caller: callerOf(context), action: 'campaign.cohortCsv', object, detail })
    return forecastCsv(ledger, todayOf(context), callerOf(context).country)
  },

  async affected({ id, active }, context) {
    const tx = tenantTx(context)
    const campaign = await findCampaign(tx, id)
    const templates = await affectedTemplates(tx, [campaign.id], active ?? !campaign.active)
    return { template_names: templates.map((one) => one.name), template_ids: templates.map((one) => one.uuid) }
  },
}

/** The requested cohort, with all ids looked up in the caller's own scope. */
async function askedCohort(input: InputOf<typeof contract.campaign.cohort>, context: Context) {
  const tx = tenantTx(context)
  const { country } = callerOf(context)
  const locationIds = await resolveLocations(tx, input.pharmacies)
  const texts = await findTexts(tx, input.templates)
  const saved = input.campaign_id ? await findCampaign(tx, input.campaign_id) : null
  await checkFilters(tx, input.filters)
  const { filters } = input
  const noHoldout = input.no_holdout ?? saved?.no_holdout ?? false
  const campaign = { campaignId: saved?.id ?? null, filters, noHoldout }
  const { now, pools } = context.services
  const times = { now: now(), notBefore: sendWindowOf(input, context).from, system: pools.system }
  return { tx, cohort: await cohortOf(tx, { ...campaign, locationIds, texts, country, ...times }) }
}

/** From the first to the end of the last day of a campaign, in the company's zone, as an activation uses them. */
function sendWindowOf(
  { start_date, end_date }: InputOf<typeof contract.campaign.cohort>,
  context: Context,
): SendWindow {
  const zone = companyZone(context)
  const [start, end] = [dayFrom(start_date, zone), dayFrom(end_date, zone)]
  return {
    from: start === null ? null : dayBounds(zone, start).start,
    until: end === null ? null : dayBounds(zone, end).end,
  }
}
