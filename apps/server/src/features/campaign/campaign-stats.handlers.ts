import type { contract } from '@pillar/contract'
import type { CampaignStats } from '@pillar/contract/campaign/campaign-stats'
import { pagesOf, windowOf } from '@pillar/contract/wire/paging'
import {
  basisOf,
  type CampaignResult,
  enoughMessaged,
  revenueRanks,
  roi,
} from '@pillar/domain/campaign/campaign-result'
import { type HandlersOf, tenantTx } from '../../api/context.ts'
import { campaignSubgroups } from '../attribution/campaign-group.queries.ts'
import { campaignDays, campaignPoints } from '../attribution/campaign-point.queries.ts'
import { type CampaignRow, campaignRows } from '../attribution/campaign-stat.queries.ts'
import { resolveLocations } from '../location/location.queries.ts'
import { newestRun, type PharmacyProgress, progressByPharmacy } from '../run/run.queries.ts'
import { sumProgress } from '../run/run-answer.ts'
import { type CampaignRow as Campaign, findCampaign } from './campaign.queries.ts'
import { goalStanding } from './campaign-goal.ts'
import { pointValues } from './campaign-points.ts'
import { campaignResult, comparedGroups, costBy, messagedOf } from './campaign-revenue.ts'

type StatsHandlers = Pick<HandlersOf<typeof contract.campaign>, 'stats' | 'pictures'>

export const campaignStatsHandlers: StatsHandlers = {
  async stats({ campaign_id, page, pharmacy_ids }, context) {
    const tx = tenantTx(context)
    const { limit, offset } = windowOf(page)
    const campaign = await findCampaign(tx, campaign_id)
    const rows = await campaignRows(tx, campaign.id)
    const run = await newestRun(tx, campaign.id)
    const sending = run ? await progressByPharmacy(tx, run.id) : []
    const named = pharmacy_ids ? new Set(await resolveLocations(tx, [...new Set(pharmacy_ids)])) : null
    const chosen = named ? rows.filter((row) => named.has(row.location_id)) : rows
    const table = ranked(rows, campaign, sending, run?.state === 'stopped')
    const ids = new Set(chosen.map((row) => row.uuid))
    const shown = table.filter((row) => ids.has(row.pharmacy_id))
    const days = chosen.flatMap((row) => (row.data_to ? [row.data_to] : [])).sort()
    const receipts = chosen.flatMap((row) => (row.receipts_to ? [row.receipts_to.getTime()] : []))
    return {
      pharmacies: shown.slice(offset, offset + limit),
      ...pagesOf(page, shown.length),
      ...totals(chosen, shown, campaign),
      progress: sumProgress(sending.filter(({ uuid }) => ids.has(uuid))),
      data_to: days.at(-1) ?? null,
      receipts_to: receipts.length > 0 ? new Date(Math.max(...receipts)).toISOString() : null,
    }
  },

  async pictures({ id }, context) {
    const tx = tenantTx(context)
    const campaign = await findCampaign(tx, id)
    const rows = await campaignRows(tx, campaign.id)
    const ids = rows.map((row) => row.location_id)
    const days = await campaignDays(tx, campaign.id, ids)
    const points = await campaignPoints(tx, campaign.id, ids)
    const subgroups = await campaignSubgroups(tx, campaign.id, ids)
    return { days, goal: pointValues(rows, points, campaign), groups: comparedGroups(rows, subgroups) }
  },
}

const sum = (rows: readonly CampaignRow[], of: (row: CampaignRow) => number) =>
  rows.reduce((total, row) => total + of(row), 0)

/** The pharmacies of a campaign, best revenue first; each rank is among all of them. */
function ranked(
  rows: readonly CampaignRow[],
  campaign: Campaign,
  sending: readonly PharmacyProgress[],
  allStopped: boolean,
): CampaignStats[] {
  const method = campaignResult(rows).found?.method
  const earned = rows.map((row) => campaignResult([row], method))
  const ranks = revenueRanks(rows.map(({ name }, at) => ({ name, revenue: earned[at]!.found?.revenue ?? null })))
  const stats = rows.map((row, at): CampaignStats => {
    const result = earned[at]!
    const basis = basisOf(result)
    const place = sending.find(({ uuid }) => uuid === row.uuid)
    return {
      pharmacy_id: row.uuid,
      pharmacy_name: row.name,
      rank: ranks[at]!,
      messages: row.sms + row.email,
      reach: row.reach,
      cost: row.cost_cents / 100,
      ...money(result, [row]),
      revenue_method: basis.method,
      revenue_method_name: basis.method_name,
      result: basis,
      ...goalStanding([row], campaign, enoughMessaged(messagedOf([row]))),
      sms_delivered: row.sms,
      email_delivered: row.email,
      templates: row.templates,
      progress: sumProgress(place ? [place] : []),
      stopped: allStopped || (place?.stopped ?? false),
    }
  })
  return stats.sort((a, b) => a.rank - b.rank)
}

function money({ found }: CampaignResult, rows: readonly CampaignRow[]) {
  const revenue = found?.revenue ?? null
  return { revenue, revenue_change: found?.change ?? null, roi: roi(revenue, costBy(found?.method ?? null, rows)) }
}

function totals(rows: readonly CampaignRow[], shown: readonly CampaignStats[], campaign: Campaign) {
  const earned = campaignResult(rows)
  const basis = basisOf(earned)
  const { revenue, revenue_change, roi: total_roi } = money(earned, rows)
  const goal = goalStanding(rows, campaign, enoughMessaged(messagedOf(rows)))
  return {
    total_pharmacies: rows.length,
    total_messages: sum(rows, (row) => row.sms + row.email),
    total_reach: sum(rows, (row) => row.reach),
    total_cost: sum(rows, (row) => row.cost_cents) / 100,
    total_roi_cost: costBy(basis.method, rows),
    total_revenue: revenue,
    total_revenue_change: revenue_change,
    total_made_goal: shown.filter((row) => row.made_goal).length,
    total_roi,
    total_current_goal_value: goal.current_goal_value,
    total_adherence_kpi: goal.adherence_kpi,
    total_loyalty_kpi: goal.loyalty_kpi,
    total_scripts_kpi: goal.scripts_kpi,
    total_visits_kpi: goal.visits_kpi,
    total_sms_delivered: sum(rows, (row) => row.sms),
    total_email_delivered: sum(rows, (row) => row.email),
    total_opt_outs: sum(rows, (row) => row.opt_outs),
    revenue_method: basis.method,
    revenue_method_name: basis.method_name,
    revenue_low: basis.low,
    revenue_high: basis.high,
    total_result: basis,
  }
}
