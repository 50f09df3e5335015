import { ceilingWords } from '@pillar/domain/campaign/approval'
import type { Country } from '@pillar/domain/time/locale'
import { z } from 'zod'
import type { Services } from '../../../api/context.ts'
import { job } from '../../../api/queue.ts'
import { inScope } from '../../../db/scope.ts'
import { queueMail } from '../../mail/mail.jobs.ts'
import { campaignLetter, type Reader } from '../../run/approval/campaign-letter.ts'
import { type Approval, ceilingOf, findApproval } from '../../run/approval.queries.ts'
import { loginOwner } from '../../session/login.queries.ts'
import { mayApprove } from './approval-check.ts'

const MAILED = ['waiting', 'approved', 'declined'] as const

/**
 * Emails everybody who may approve a campaign that approval is asked for, or whoever asked what was decided. A request that has moved on
 * since is left out: what happened next has a job of its own.
 */
export const mailApproval = job({
  name: 'mail-approval',
  payload: z.object({ id: z.number().int(), company_id: z.number().int(), state: z.enum(MAILED) }),
  concurrency: () => 1,
  retries: 8,
  again: true,
  async run({ id, company_id, state }, services) {
    const { app, system } = services.pools
    const found = await inScope(app, { companyId: company_id, locationIds: [] }, async (tx) => {
      const approval = await findApproval(tx, id)
      if (approval?.state !== state) return null
      const { campaign_id, asked_by } = approval
      if (state !== 'waiting') return { approval, readers: [asked_by] }
      const { approvers } = await mayApprove(tx, system, campaign_id, asked_by)
      return { approval, readers: approvers.map(({ login_id }) => login_id) }
    })
    if (!found) return
    await system.transaction().execute(async (tx) => {
      for (const loginId of found.readers) {
        const reader = await loginOwner(tx, loginId)
        if (reader) await queueMail(tx, services, letterTo(services, reader, found.approval))
      }
    })
  },
})

function letterTo(services: Services, reader: Reader, approval: Approval) {
  const { campaign } = approval.content
  const who = approval.decided_name ?? 'Somebody'
  const waits = approval.state === 'waiting'
  const subject = waits ? 'Please approve a campaign' : `Your campaign was ${approval.state}`
  const asked = `You asked for approval of the campaign “${campaign.name}”.`
  const sentence = waits
    ? `${approval.asked_name ?? 'Somebody'} asks for approval of the campaign “${campaign.name}”, for ${ceilingWords(ceilingOf(approval), reader.country as Country)}. Nothing is sent before somebody approves it.`
    : approval.state === 'approved'
      ? `${asked} ${who} approved it, and you can activate it.`
      : `${asked} ${who} declined it: “${approval.reason}”`
  return campaignLetter(services, reader, campaign, subject, sentence)
}
