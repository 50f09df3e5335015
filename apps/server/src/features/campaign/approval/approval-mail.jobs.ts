import { addressOf } from '@pillar/domain/access/permission'
import { ceilingWords } from '@pillar/domain/campaign/approval'
import type { Country } from '@pillar/domain/time/locale'
import { z } from 'zod'
import type { Services } from '../../../api/context.ts'
import { job } from '../../../api/queue.ts'
import { inScope } from '../../../db/scope.ts'
import { queueMail } from '../../mail/mail.jobs.ts'
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

type Reader = NonNullable<Awaited<ReturnType<typeof loginOwner>>>

function letterTo(services: Services, reader: Reader, approval: Approval) {
  const { PRODUCT_NAME: product, SUPPORT_EMAIL: support } = services.env
  const { id, name } = approval.content.campaign
  const country = reader.country as Country
  const page = new URL(addressOf(country, 'campaign', id), services.publicUrl()).href
  const who = approval.decided_name ?? 'Somebody'
  const waits = approval.state === 'waiting'
  const subject = waits ? 'Please approve a campaign' : `Your campaign was ${approval.state}`
  const sentence = waits
    ? `${approval.asked_name ?? 'Somebody'} asks for approval of the campaign “${name}”, for ${ceilingWords(ceilingOf(approval), country)}. Nothing is sent before somebody approves it.`
    : approval.state === 'approved'
      ? `You asked for approval of the campaign “${name}”. ${who} approved it, and you can activate it.`
      : `You asked for approval of the campaign “${name}”. ${who} declined it: “${approval.reason}”`
  return {
    to: reader.email,
    subject: `${subject}: ${name}`,
    text: [`Hello ${reader.first_name},`, sentence, `The campaign in ${product}:`, page, `Questions: ${support}.`].join(
      '\n\n',
    ),
  }
}
