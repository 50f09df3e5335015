import { type contract, type InputOf, Refusal } from '@pillar/contract'
import { Filters } from '@pillar/contract/campaign/cohort'
import { orSaved, recommendedCampaignProblem, supportCampaignProblems } from '@pillar/domain/campaign/campaign-rule'
import { problemSentence } from '@pillar/domain/text/sentence'
import { type Context, tenantTx } from '../../api/context.ts'
import { refuseStale } from '../../api/version.ts'
import type { CampaignRow } from './campaign.queries.ts'
import { lockCampaign } from './campaign.queries.ts'
import type { CampaignInput } from './campaign-input.ts'
import { saveCampaign } from './save-campaign.ts'

export type CampaignChanges = Omit<
  InputOf<typeof contract.campaignAdmin.edit>,
  'campaign_ids' | 'filter' | 'expected_count'
>

/**
 * Saves the given fields of one campaign; the rest stays. Null means "unchanged" when several are edited at once, and "none" for a single
 * one.
 */
export async function editByStaff(uuid: string, changes: CampaignChanges, inside: Context, several: boolean) {
  const tx = tenantTx(inside)
  const before = await lockCampaign(tx, uuid)
  if (before.demo) throw new Refusal('conflict', 'This is a demo campaign and cannot be edited.')
  if (!several) refuseStale(before, changes.version)
  const input = inputOf(before, changes, several)
  const endKept = input.end_date === before.end_day
  await saveCampaign(tx, before, input, inside, {
    problem: (draft) =>
      // Without a cohort, an active campaign would message everybody or nobody.
      before.active && draft.filters < 1
        ? recommendedCampaignProblem(draft)
        : problemSentence(supportCampaignProblems({ ...draft, company: true })),
    ...(endKept ? { endBefore: before.end_day } : {}),
  })
}

/** The whole campaign to save. */
function inputOf(before: CampaignRow, to: CampaignChanges, several: boolean): CampaignInput {
  return {
    name: to.name ?? before.name,
    goal_type: to.goal_type ?? before.goal_type,
    measure_by: to.measure_by ?? before.measure_by,
    goal: to.goal ?? before.goal,
    note: orSaved(to.note, before.note, several),
    start_date: orSaved(to.start_date, before.start_day, several),
    end_date: orSaved(to.end_date, before.end_day, several),
    filters: to.filters ?? Filters.parse(before.filters),
    no_holdout: to.no_holdout ?? before.no_holdout,
    templates: to.templates ?? before.templates.map(({ template_id }) => ({ template_id })),
    locations: to.locations ?? before.locations.map(({ location_id }) => location_id),
  }
}
