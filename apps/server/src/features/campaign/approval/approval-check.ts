import { Refusal } from '@pillar/contract'
import type { CampaignApproval } from '@pillar/contract/campaign/campaign-approval'
import { Filters } from '@pillar/contract/campaign/cohort'
import {
  type ApprovalContent,
  approvalChanges,
  approverProblem,
  canonicalSending,
  unapprovedWords,
} from '@pillar/domain/campaign/approval'
import type { GoalType, Measure } from '@pillar/domain/campaign/goal'
import type { ConsentKind } from '@pillar/domain/consent/consent'
import { parseDay } from '@pillar/domain/time/day'
import { formatDate } from '@pillar/domain/time/locale'
import { type Context, callerOf } from '../../../api/context.ts'
import type { Database, Tx } from '../../../db/database.ts'
import {
  type Approval,
  approvalHash,
  approvedText,
  authorsOf,
  campaignSenders,
  ceilingOf,
  contentOf,
  lastDayOf,
  lockOpenApproval,
  newestApproval,
  pharmacyNames,
} from '../../run/approval.queries.ts'
import { approvalRequired } from '../../template/template-use.queries.ts'
import type { CampaignText } from '../../template/text.queries.ts'

type Shown = CampaignApproval['state']

/** The state of an approval for the campaign as it is now, and what has changed. */
function standing(approval: Approval | null, now: ApprovalContent): { state: Shown; changes: string[] } {
  if (!approval) return { state: 'none', changes: [] }
  const { state, content, hash } = approval
  const open = state === 'waiting' || state === 'approved'
  if (state === 'voided' || (open && approvalHash(now, ceilingOf(approval)) !== hash))
    return { state: 'changed', changes: approvalChanges(content, now) }
  return { state, changes: [] }
}

/** Who may approve a campaign, and who may not because they are its authors. */
export async function mayApprove(tx: Tx, system: Database, campaignId: number, askedBy: number | null) {
  const authors = await authorsOf(tx, system, campaignId, askedBy)
  const senders = await campaignSenders(tx)
  return { authors, approvers: senders.filter((one) => approverProblem(one.login_id, authors) === '') }
}

/** Names of those who may approve a campaign, and why the caller may not. */
async function approversOf(tx: Tx, campaignId: number, askedBy: number | null, context: Context) {
  const { authors, approvers } = await mayApprove(tx, context.services.pools.system, campaignId, askedBy)
  const names = approvers.map(({ name }) => name)
  return { approvers: names, approver_problem: approverProblem(callerOf(context).loginId, authors) }
}

/** The content of a request as its hash covers it; its pharmacies have their present names. */
async function shownContent(
  tx: Tx,
  { campaign, texts, audience }: ApprovalContent,
): Promise<NonNullable<CampaignApproval['content']>> {
  const { filters, pharmacies, holdout } = audience
  return {
    ...{ name: campaign.name, note: campaign.note, start_date: campaign.start, end_date: campaign.end },
    ...{ goal_type: campaign.goal_type as GoalType, measure_by: campaign.measure_by as Measure, goal: campaign.goal },
    texts: texts.map(({ id, name, sms, email, kind, subject, body }) => ({
      ...{ template_id: id, template_name: name, sms_template: sms, email_template: email },
      ...{ message_kind: kind as ConsentKind, subject, body },
    })),
    filters: Filters.parse(filters),
    pharmacies: await pharmacyNames(tx, pharmacies),
    holdout_percent: holdout,
  }
}

/** The state of a campaign's approval, as the caller sees it. */
export async function approvalAnswer(tx: Tx, campaignId: number, context: Context): Promise<CampaignApproval> {
  const approval = await newestApproval(tx, campaignId)
  const { state, changes } = standing(approval, await contentOf(tx, campaignId))
  const askedBy = state === 'waiting' ? approval!.asked_by : null
  return {
    ...{ required: await approvalRequired(tx), state, changes },
    ...(await approversOf(tx, campaignId, askedBy, context)),
    asked_by: approval?.asked_name ?? null,
    asked_at: approval?.asked_at.toISOString() ?? null,
    decided_by: approval?.decided_name ?? null,
    decided_at: approval?.decided_at?.toISOString() ?? null,
    reason: approval?.reason ?? null,
    max_people: approval?.max_people ?? null,
    max_cents: approval ? ceilingOf(approval).cents : null,
    hash: approval?.hash ?? null,
    content: state === 'waiting' ? await shownContent(tx, approval!.content) : null,
  }
}

/** What an activation would send: its texts, and its dates if they differ from the saved ones. */
interface Sending {
  texts: readonly CampaignText[]
  start?: string | null | undefined
  end?: string | null | undefined
}

/**
 * The approval that lets a locked campaign be activated, locked too; null if the company requires none. Call it after activating the
 * templates: their rows are locked before the approval, in the same order as when a template is edited.
 * @param find newestApproval before an activation: nothing is locked
 * @throws Refusal conflict, saying who may approve, if there is no approval of exactly this
 */
export async function requireApproval(
  tx: Tx,
  campaignId: number,
  sending: Sending,
  context: Context,
  find = lockOpenApproval,
): Promise<Approval | null> {
  if (!(await approvalRequired(tx))) return null
  const open = await find(tx, campaignId)
  const saved = await contentOf(tx, campaignId)
  const { start = saved.campaign.start, end = saved.campaign.end } = sending
  const now = { ...saved, campaign: { ...saved.campaign, start, end } }
  const { state, changes } = standing(open ?? (await newestApproval(tx, campaignId)), now)
  if (state !== 'approved') {
    const { approvers } = await approversOf(tx, campaignId, null, context)
    throw new Refusal('conflict', unapprovedWords(state, changes, approvers))
  }
  const texts = sending.texts.map(approvedText)
  if (canonicalSending({ ...now, texts }) !== canonicalSending(now))
    throw new Refusal('conflict', 'All templates of this campaign were approved together. Please activate all of them.')
  return open
}

/** @throws Refusal conflict if the sending would go on after the last approved day, or longer without an approval */
export async function refuseLongerThanApproved(
  tx: Tx,
  campaignId: number,
  end: string | null,
  context: Context,
): Promise<void> {
  if (!(await approvalRequired(tx))) return
  const { last = null, approved } = (await lastDayOf(tx, campaignId)) ?? {}
  if (last === null || (end !== null && end <= last)) return
  const day = formatDate(callerOf(context).country, parseDay(last)!)
  throw new Refusal(
    'conflict',
    approved
      ? `This campaign was approved to end on ${day}. To send for longer, deactivate it and ask for approval again.`
      : `This campaign ends on ${day}, and nobody approved it. To send for longer, deactivate it and ask for approval.`,
  )
}
