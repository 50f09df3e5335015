import { Refusal } from '@pillar/contract'
import { listOf } from '@pillar/domain/text/sentence'
import { recordAudit } from '../../api/audit.ts'
import { type Context, callerOf } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { findTemplate, type TemplateText } from './template.queries.ts'
import { approvalRequired, sequenceTitlesOf } from './template-use.queries.ts'
import { voidApprovalsOf } from './void-approval.queries.ts'

/** Ends the approvals of campaigns whose texts were just changed or deleted, and records it in the log of each campaign's company. */
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

/**
 * Sequences need no approval, because only support writes them. So if campaigns need one, head office may not change what an active
 * sequence sends: one person alone would decide.
 * @throws Refusal conflict, naming the sequences
 */
export async function refuseUnapproved(tx: Tx, uuid: string, to: TemplateText): Promise<void> {
  const found = await findTemplate(tx, uuid)
  if (sent(found) === sent(to) || !(await approvalRequired(tx))) return
  const titles = await sequenceTitlesOf(tx, found.id, true)
  if (titles.length === 0) return
  const use =
    titles.length === 1
      ? `The active sequence “${titles[0]}” sends this template`
      : `Active sequences send this template (${listOf(titles)})`
  throw new Refusal(
    'conflict',
    `${use}, and sequences go out without an approval. Save it as a new template, or ask support to change it.`,
  )
}

/** The parts of a template that patients receive; its name is not one. */
const sent = ({ body, subject, sms_template, email_template, message_kind }: TemplateText) =>
  JSON.stringify([body, subject, sms_template, email_template, message_kind])
