import { Refusal } from '@pillar/contract'
import { day as dayOf } from '@pillar/domain/time/day'
import { dayBounds } from '@pillar/domain/time/local-time'
import { type Context, callerOf } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { setRunEnd } from '../run/run-write.queries.ts'
import { refuseLongerThanApproved } from './approval/approval-check.ts'
import { voidIfChanged } from './approval/void-approval.ts'
import { type CampaignRow, updateCampaign } from './campaign.queries.ts'
import { type CampaignInput, type Checking, companyZone, draftOf } from './campaign-input.ts'

/**
 * Saves a locked campaign as an editor sent it, whoever edits it. The start of an active one is fixed; another end also ends its run there.
 * @returns the new version
 * @throws Refusal invalid, not_found as `draftOf`, and conflict for a name that is taken
 */
export async function saveCampaign(
  tx: Tx,
  before: CampaignRow,
  input: CampaignInput,
  context: Context,
  checking: Omit<Checking, 'startBefore'>,
): Promise<number> {
  const asSent = await draftOf(tx, input, context, { ...checking, startBefore: before.start_day })
  const draft = before.active ? { ...asSent, start_day: keptStart(asSent.start_day, before.start_day) } : asSent
  const { companyId, loginId } = callerOf(context)
  const by = { companyId, loginId, now: context.services.now() }
  if (before.active && draft.end_day !== before.end_day) {
    await refuseLongerThanApproved(tx, before.id, draft.end_day, context)
    await setRunEnd(tx, before.id, endOf(draft.end_day, context))
  }
  const version = await updateCampaign(tx, before.id, draft, by)
  await voidIfChanged(tx, { ...before, name: draft.name }, context)
  return version
}

/** The start of an active campaign is fixed: its messages are planned from it. @throws Refusal invalid for another one */
function keptStart(asked: string | null, saved: string | null): string | null {
  if (asked === null || asked === saved) return saved
  throw new Refusal('invalid', 'Please deactivate the campaign before you change its start date.')
}

/** End of the last day of a campaign in the company's zone. */
const endOf = (day: string | null, context: Context) =>
  day === null ? null : dayBounds(companyZone(callerOf(context)), dayOf(day)).end
