import { approvalChanges } from '@pillar/domain/campaign/approval'
import { listOf } from '@pillar/domain/text/sentence'
import { recordAudit } from '../../../api/audit.ts'
import { type Context, callerOf } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { approvalHash, ceilingOf, contentOf, endApproval, lockOpenApproval } from '../../run/approval.queries.ts'

interface Named {
  id: number
  uuid: string
  name: string
}

/** The reason for a deleted campaign. */
export const REMOVED = 'The campaign was deleted.'

/** Ends the open approval of a locked campaign, if it has one, and records in the audit who did it and why. */
export async function voidApproval(tx: Tx, campaign: Named, context: Context, reason: string): Promise<void> {
  const open = await lockOpenApproval(tx, campaign.id)
  if (!open) return
  await endApproval(tx, open.id, context.services.now())
  await recordAudit(tx, {
    caller: callerOf(context),
    action: 'campaignApproval.void',
    object: campaign.uuid,
    name: campaign.name,
    detail: { was: open.state, reason },
  })
}

/** Ends the open approval of a locked campaign that has changed since the request. */
export async function voidIfChanged(tx: Tx, campaign: Named, context: Context): Promise<void> {
  const open = await lockOpenApproval(tx, campaign.id)
  if (!open) return
  const now = await contentOf(tx, campaign.id)
  if (approvalHash(now, ceilingOf(open)) === open.hash) return
  await voidApproval(tx, campaign, context, `Changed: ${listOf(approvalChanges(open.content, now))}.`)
}
