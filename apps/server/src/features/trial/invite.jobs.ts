import { z } from 'zod'
import { reasonOf } from '../../api/log.ts'
import { job } from '../../api/queue.ts'
import { DatabaseAway } from '../../db/away.ts'
import { settleContacts } from '../cohort/fill-contacts.jobs.ts'
import { companiesToInvite, invitingTrial, textsOfTrial, uncounted } from './invite.queries.ts'
import { inviteCompany, invitingTexts, noInvitees } from './invite.ts'

/**
 * Invites the eligible patients of a trial who have not been sent an invitation: company by company, even if some fail, each in its own scope
 * and all or none. An interrupted job continues with the remaining companies, however often it runs. Pharmacies that cannot be counted by
 * the trial's criteria are left out, and the log says how many.
 */
export const inviteTrial = job({
  name: 'invite-trial',
  payload: z.object({ uuid: z.uuid(), trial_id: z.number().int(), login_id: z.number().int().nullable() }),
  concurrency: () => 1,
  retries: 8,
  again: true,
  async run({ uuid, trial_id, login_id }, services) {
    const { pools, log, now } = services
    await settleContacts(services)
    const trial = await invitingTrial(pools.system, trial_id)
    const texts = invitingTexts(await textsOfTrial(pools.staff, trial_id))
    if (!trial || texts.length === 0) return
    const counts = noInvitees()
    const failed: unknown[] = []
    // Tried again once they are counted.
    const refuseUncounted = async () => {
      if ((await uncounted(pools.system, trial_id, now())).waits)
        throw new Error('the criteria of the trial were changed meanwhile')
    }
    await refuseUncounted()
    for (const company of await companiesToInvite(pools.system, trial_id)) {
      await refuseUncounted()
      try {
        await inviteCompany(services, company, { uuid, trial, texts, loginId: login_id }, counts, true)
      } catch (error) {
        if (error instanceof DatabaseAway) throw error
        log.error({ company: company.companyId, reason: reasonOf(error) }, 'patients could not be invited to a trial')
        failed.push(error)
      }
    }
    const { pharmacies } = await uncounted(pools.system, trial_id, now())
    if (pharmacies > 0)
      log.error(
        { trial: trial_id, pharmacies },
        'a trial invites nobody where patients could not be counted by its criteria',
      )
    log.info({ trial: trial_id, texts: counts.sms, emails: counts.email }, 'invitations to a clinical trial are queued')
    if (failed.length > 0) throw failed[0]
  },
})
