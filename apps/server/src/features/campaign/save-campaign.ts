import { Refusal } from '@pillar/contract'
import { Filters } from '@pillar/contract/campaign/cohort'
import { day as dayOf } from '@pillar/domain/time/day'
import { dayBounds } from '@pillar/domain/time/local-time'
import { noteChange } from '../../api/audit.ts'
import { companyZone } from '../../api/call/today.ts'
import { type Context, callerOf } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { setRunEnd } from '../run/run-write.queries.ts'
import { refuseLongerThanApproved } from './approval/approval-check.ts'
import { voidIfChanged } from './approval/void-approval.ts'
import { type CampaignRow, findCampaign, updateCampaign } from './campaign.queries.ts'
import { type CampaignInput, type Checking, draftOf } from './campaign-input.ts'

/**
 * Saves a locked campaign as an editor sent it, whoever edits it. An active one keeps its start; changing its end also changes where its
 * run ends.
 * @returns the new version
 * @throws Refusal invalid, not_found as `draftOf`, and conflict if the name is taken
 */
export async function saveCampaign(
  tx: Tx,
  before: CampaignRow,
  input: CampaignInput,
  context: Context,
  checking: Omit<Checking, 'startBefore'>,
): Promise<number> {
  const whole = { ...input, no_holdout: input.no_holdout ?? before.no_holdout }
  const asSent = await draftOf(tx, whole, context, { ...checking, startBefore: before.start_day })
  const draft = before.active ? { ...asSent, start_day: keptStart(asSent.start_day, before.start_day) } : asSent
  const { companyId, loginId } = callerOf(context)
  const by = { companyId, loginId, now: context.services.now() }
  if (before.active && draft.end_day !== before.end_day) {
    await refuseLongerThanApproved(tx, before.id, draft.end_day, context)
    await setRunEnd(tx, before.id, endOf(draft.end_day, context))
  }
  const version = await updateCampaign(tx, before.id, draft, by)
  noteChange(context, before.uuid, noted(before), noted(await findCampaign(tx, before.uuid)))
  await voidIfChanged(tx, { ...before, name: draft.name }, context)
  return version
}

/** A campaign in the form the audit compares to record an edit. */
const noted = (row: CampaignRow) => ({
  ...{ name: row.name, note: row.note, goal_type: row.goal_type, measure_by: row.measure_by, goal: row.goal },
  ...{ start_date: row.start_day, end_date: row.end_day, filters: Filters.parse(row.filters) },
  no_holdout: row.no_holdout,
  templates: row.templates.map(({ template_id }) => template_id),
  locations: row.locations.map(({ location_id }) => location_id),
})

/** The start of an active campaign is fixed: its messages are planned from it. @throws Refusal invalid for a different one */
function keptStart(asked: string | null, saved: string | null): string | null {
  if (asked === null || asked === saved) return saved
  throw new Refusal('invalid', 'Please deactivate the campaign before you change its start date.')
}

/** End of the last day of a campaign in the company's zone. */
const endOf = (day: string | null, context: Context) =>
  day === null ? null : dayBounds(companyZone(context), dayOf(day)).end
