import { z } from 'zod'
import { reasonOf } from '../../api/log.ts'
import { job } from '../../api/queue.ts'
import { DatabaseAway } from '../../db/away.ts'
import { settleContacts } from '../cohort/fill-contacts.jobs.ts'
import { companiesToInvite, invitingTrial, isRecounting, textsOfTrial } from './invite.queries.ts'
import { inviteCompany, invitingTexts, noInvitees } from './invite.ts'

/**
 * Invites the eligible patients of a trial who have not been sent an invitation: company by company, whichever fails, each in its own scope
 * and all or none. An interrupted job continues with the remaining companies, however often it runs.
 */
export const inviteTrial = job({
  name: 'invite-trial',
  payload: z.object({ uuid: z.uuid(), trial_id: z.number().int(), login_id: z.number().int().nullable() }),
  concurrency: () => 1,
  retries: 8,
  again: true,
  async run({ uuid, trial_id, login_id }, services) {
    const { pools, log } = services
    await settleContacts(services)
    const trial = await invitingTrial(pools.system, trial_id)
    const texts = invitingTexts(await textsOfTrial(pools.staff, trial_id))
    if (!trial || texts.length === 0) return
    const counts = noInvitees()
    const failed: unknown[] = []
    for (const company of await companiesToInvite(pools.system, trial_id)) {
      // Tried again once they are counted.
      if (await isRecounting(pools.system, trial_id))
        throw new Error('the criteria of the trial were changed meanwhile')
      try {
        await inviteCompany(services, company, { uuid, trial, texts, loginId: login_id }, counts, true)
      } catch (error) {
        if (error instanceof DatabaseAway) throw error
        log.error({ company: company.companyId, reason: reasonOf(error) }, 'patients could not be invited to a trial')
        failed.push(error)
      }
    }
    log.info({ trial: trial_id, texts: counts.sms, emails: counts.email }, 'invitations to a clinical trial are queued')
    if (failed.length > 0) throw failed[0]
  },
})
