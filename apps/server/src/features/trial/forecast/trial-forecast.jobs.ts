import { reasonText } from '@pillar/domain/cohort/held-back'
import { z } from 'zod'
import type { Services } from '../../../api/context.ts'
import { job } from '../../../api/queue.ts'
import { v7 as uuidv7 } from '../../../api/uuid.ts'
import type { Database, Tx } from '../../../db/database.ts'
import { companiesToInvite, invitingTrial, textsOfTrial } from '../invite.queries.ts'
import { inviteCompany, invitingTexts, noInvitees } from '../invite.ts'
import { failForecast, saveForecast } from './trial-forecast.queries.ts'

/** Counts over all companies as `inviteTrial` will, and writes nothing. A request passes its own transaction of the console. */
export async function countInvitees(services: Services, staff: Database | Tx, trialId: number) {
  const { pools } = services
  const trial = await invitingTrial(pools.system, trialId)
  const texts = invitingTexts(await textsOfTrial(staff, trialId))
  const counts = noInvitees()
  if (trial && texts.length > 0)
    for (const company of await companiesToInvite(pools.system, trialId))
      await inviteCompany(services, company, { uuid: uuidv7(), trial, texts, loginId: null }, counts, false)
  const held = [...counts.held].map(([reason, count]) => ({ reason: reasonText(reason, 'sms'), count }))
  const costs = [...counts.cents].map(([country, cents]) => ({ country, cost: cents / 100 }))
  const { sms, email } = counts
  return { sms, email, costs, held: held.sort((a, b) => b.count - a.count) }
}
export type InviteForecast = Awaited<ReturnType<typeof countInvitees>>

/** Counts whom a large trial's invitations would reach; the dialog polls for the result. */
export const forecastInvitations = job({
  name: 'forecast-invitations',
  payload: z.object({ trial_id: z.number().int() }),
  concurrency: () => 1,
  // For a worker that is replaced while it counts.
  retries: 1,
  async run({ trial_id }, services) {
    const from = services.now()
    try {
      const answer = await countInvitees(services, services.pools.staff, trial_id)
      await saveForecast(services.pools.system, trial_id, answer, { from, to: services.now() })
    } catch (error) {
      await failForecast(services.pools.system, trial_id, services.now())
      throw error
    }
  },
})
