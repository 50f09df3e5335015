import { type contract, Refusal } from '@pillar/contract'
import { approverProblem, type Ceiling, ceilingProblem, costWords } from '@pillar/domain/campaign/approval'
import { noteChange } from '../../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import {
  type Approval,
  approvalHash,
  authorsOf,
  ceilingOf,
  clearTextEditors,
  contentOf,
  decideApproval,
  insertApproval,
  lockOpenApproval,
  lockTexts,
  newestApproval,
  waitingApprovals,
} from '../../run/approval.queries.ts'
import { liveRunOf } from '../../run/run-write.queries.ts'
import { approvalRequired } from '../../template/template-use.queries.ts'
import { type CampaignRow, findCampaign, lockCampaign } from '../campaign.queries.ts'
import { forecastFor } from '../campaign-forecast.ts'
import { approvalAnswer } from './approval-check.ts'
import { mailApproval } from './approval-mail.jobs.ts'
import { voidApproval } from './void-approval.ts'

/** Approval of campaigns by a second person. */
export const campaignApprovalHandlers: HandlersOf<typeof contract.campaignApproval> = {
  async state({ id }, context) {
    const tx = tenantTx(context)
    return approvalAnswer(tx, (await findCampaign(tx, id)).id, context)
  },

  async waiting(_input, context) {
    const tx = tenantTx(context)
    if (!(await approvalRequired(tx))) return { campaigns: [] }
    const { loginId } = callerOf(context)
    const campaigns = []
    for (const one of await waitingApprovals(tx)) {
      // Skipped if it changed after the request: it no longer waits for anyone.
      if (approvalHash(await contentOf(tx, one.campaign_id), ceilingOf(one)) !== one.hash) continue
      const authors = await authorsOf(tx, context.services.pools.system, one.campaign_id, one.asked_by)
      campaigns.push({
        ...{ campaign_id: one.campaign_uuid, name: one.name, asked_by: one.asked_name },
        ...{ asked_at: one.asked_at.toISOString(), max_people: one.max_people, max_cents: ceilingOf(one).cents },
        for_you: approverProblem(loginId, authors) === '',
      })
    }
    return { campaigns }
  },

  async request({ id, max_people, max_cents }, context) {
    const tx = tenantTx(context)
    const campaign = await lockCampaign(tx, id)
    if (!(await approvalRequired(tx)))
      throw new Refusal('conflict', 'Your company does not ask for a second person’s approval.')
    if (campaign.active || (await liveRunOf(tx, campaign.id)))
      throw new Refusal('conflict', 'This campaign is active already. Please deactivate it first.')
    const content = await contentOf(tx, campaign.id)
    const ceiling = { people: max_people, cents: max_cents }
    await refuseLowCeiling(ceiling, id, context)
    await voidApproval(tx, campaign, context, 'Approval was asked for again.')
    const { companyId, loginId } = callerOf(context)
    const now = context.services.now()
    const ask = { companyId, campaignId: campaign.id, loginId, now, content, ceiling }
    await mailAbout(await insertApproval(tx, ask), 'waiting', context)
    const hash = approvalHash(content, ceiling)
    note(context, campaign, { state: 'none' }, { state: 'waiting', hash, ...limitsOf(ceiling) })
    return approvalAnswer(tx, campaign.id, context)
  },

  async approve({ id, hash }, context) {
    const { tx, campaign, open } = await openFor(id, hash, context)
    const { loginId } = callerOf(context)
    await clearTextEditors(tx, campaign.id)
    await decideApproval(tx, open.id, { state: 'approved', loginId, reason: null, now: context.services.now() })
    await mailAbout(open.id, 'approved', context)
    note(context, campaign, { state: 'waiting' }, { state: 'approved', hash, ...limitsOf(ceilingOf(open)) })
    return approvalAnswer(tx, campaign.id, context)
  },

  async decline({ id, hash, reason }, context) {
    const { tx, campaign, open } = await openFor(id, hash, context)
    const { loginId } = callerOf(context)
    await decideApproval(tx, open.id, { state: 'declined', loginId, reason, now: context.services.now() })
    await mailAbout(open.id, 'declined', context)
    note(context, campaign, { state: 'waiting' }, { state: 'declined', hash, reason })
    return approvalAnswer(tx, campaign.id, context)
  },
}

/** Queues the emails about it, which go out once this transaction commits. */
const mailAbout = (id: number, state: 'waiting' | 'approved' | 'declined', context: Context) =>
  context.services.queue.send(tenantTx(context), mailApproval, { id, company_id: callerOf(context).companyId, state })

/** A ceiling as the audit records it: money in currency. */
const limitsOf = ({ people, cents }: Ceiling) => ({ people_at_most: people, cost_at_most: (cents / 100).toFixed(2) })

/** What the call's audit row says beyond who, which and when. */
function note(
  context: Context,
  { name }: CampaignRow,
  before: { state: string },
  after: Record<string, unknown>,
): void {
  noteChange<Record<string, unknown>>(context, null, { name, ...before }, after)
}

/** @throws Refusal invalid if the campaign cannot be activated, or the ceiling is below what would be sent now */
async function refuseLowCeiling(ceiling: Ceiling, id: string, context: Context): Promise<void> {
  const { problem, will_receive, cents } = await forecastFor(id, context, true)
  if (problem !== '') throw new Refusal('invalid', problem)
  const would = { people: will_receive, cents }
  const { country } = callerOf(context)
  if (ceilingProblem(ceiling, would, country) !== '')
    throw new Refusal(
      'invalid',
      `Please ask for more: as it is now, the campaign would cost ${costWords(would, country)}.`,
    )
}

/**
 * A campaign, its texts and its request, all locked, if the caller may decide it and it is as they saw it.
 * @throws Refusal not_found, not_allowed for its authors, conflict if it is decided, or changed since
 */
async function openFor(
  id: string,
  hash: string,
  context: Context,
): Promise<{ tx: Tx; campaign: CampaignRow; open: Approval }> {
  const tx = tenantTx(context)
  const campaign = await lockCampaign(tx, id)
  await lockTexts(tx, campaign.id)
  const open = await lockOpenApproval(tx, campaign.id)
  if (open?.state !== 'waiting') throw new Refusal('conflict', await decidedWords(tx, campaign.id))
  const authors = await authorsOf(tx, context.services.pools.system, campaign.id, open.asked_by)
  const problem = approverProblem(callerOf(context).loginId, authors)
  if (problem !== '') throw new Refusal('not_allowed', problem)
  const now = approvalHash(await contentOf(tx, campaign.id), ceilingOf(open))
  if (open.hash !== hash || open.hash !== now)
    throw new Refusal('conflict', 'This campaign was changed since approval was asked for. Please look at it again.')
  return { tx, campaign, open }
}

/** Why there is nothing left to decide. */
async function decidedWords(tx: Tx, campaignId: number): Promise<string> {
  const newest = await newestApproval(tx, campaignId)
  const who = newest?.decided_name ?? 'Somebody else'
  if (newest?.state === 'approved') return `${who} has approved this campaign already.`
  if (newest?.state === 'declined') return `${who} has declined this campaign already.`
  return 'This campaign does not wait for approval any more. Please look at it again.'
}
