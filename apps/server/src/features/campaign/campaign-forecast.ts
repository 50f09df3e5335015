import { Refusal } from '@pillar/contract'
import { type Context, tenantTx } from '../../api/context.ts'
import { newestApproval } from '../run/approval.queries.ts'
import { findTexts } from '../template/text.queries.ts'
import { activationOf, refuseTexts } from './activate.ts'
import { requireApproval } from './approval/approval-check.ts'
import { countApproved } from './approval/approved-count.ts'
import { findCampaign } from './campaign.queries.ts'

const NOTHING = { messages: 0, channels: [], will_receive: 0, held_back: 0, cents: 0 }

/**
 * What activating a campaign would send, including its inactive templates, or why it would be refused; only counts.
 * @param approving for its approver: it needs no approval yet
 */
export async function forecastFor(uuid: string, context: Context, approving = false) {
  try {
    return { ...(await countedFor(uuid, context, approving)), problem: '' }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return { ...NOTHING, problem: error.message }
  }
}

async function countedFor(uuid: string, context: Context, approving: boolean) {
  const tx = tenantTx(context)
  const campaign = await findCampaign(tx, uuid)
  const { from } = activationOf(campaign, {}, context)
  const texts = await findTexts(
    tx,
    campaign.templates.map(({ template_id }) => ({ template_id, template_recommendation_id: null })),
  )
  await refuseTexts(tx, campaign.id, texts, context)
  const approval = approving ? null : await requireApproval(tx, campaign.id, { texts }, context, newestApproval)
  const sending = { texts, from, approval }
  const { messages, channels, will_receive, held_back, cents } = await countApproved(tx, campaign, sending, context)
  return { messages, channels, will_receive, held_back, cents }
}
