import { recordAudit } from '../../api/audit.ts'
import { type Context, callerOf } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { voidApprovalsOf } from './void-approval.queries.ts'

/** Ends the approvals of campaigns whose texts were changed or deleted just now, and says so in the log of each campaign's company. */
export async function voidApprovals(tx: Tx, templates: readonly string[], context: Context): Promise<void> {
  const { loginId, sessionId, from } = callerOf(context)
  for (const { company_id, campaign_uuid, campaign_name } of await voidApprovalsOf(
    tx,
    templates,
    context.services.now(),
  )) {
    await recordAudit(tx, {
      caller: { companyId: company_id, loginId, sessionId, ...(from ? { from } : {}) },
      action: 'campaignApproval.void',
      object: campaign_uuid,
      name: campaign_name,
      detail: { reason: 'A template of it was changed or deleted.' },
    })
  }
}
