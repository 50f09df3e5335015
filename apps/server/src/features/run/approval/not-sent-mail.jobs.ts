import { z } from 'zod'
import { job } from '../../../api/queue.ts'
import { inScope } from '../../../db/scope.ts'
import { queueMail } from '../../mail/mail.jobs.ts'
import { loginOwner } from '../../session/login.queries.ts'
import { campaignLetter } from './campaign-letter.ts'
import { notSent } from './not-sent.queries.ts'

/**
 * Emails whoever activated a campaign, and whoever asked for its approval, that nothing of it was sent and why: it happens minutes after they
 * pressed Activate, when nobody may be looking any more.
 */
export const mailNotSent = job({
  name: 'mail-not-sent',
  payload: z.object({ run_id: z.number().int(), company_id: z.number().int() }),
  concurrency: () => 1,
  retries: 8,
  again: true,
  async run({ run_id, company_id }, services) {
    const { app, system } = services.pools
    const run = await inScope(app, { companyId: company_id, locationIds: [] }, (tx) => notSent(tx, run_id))
    if (!run) return
    await system.transaction().execute(async (tx) => {
      const { campaign, note, held } = run
      const next = held
        ? 'If your company requires approval, ask for it again; then activate the campaign again.'
        : 'Deactivate the campaign and activate it again.'
      for (const loginId of run.readers) {
        const reader = await loginOwner(tx, loginId)
        if (!reader) continue
        const sentence = `The campaign “${campaign.name}” was activated, but ${held ? 'was held back' : 'could not be sent'}. ${note} ${next}`
        await queueMail(
          tx,
          services,
          campaignLetter(services, reader, campaign, 'Your campaign was not sent', sentence),
        )
      }
    })
  },
})
