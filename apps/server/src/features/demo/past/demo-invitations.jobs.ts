import type { Services } from '../../../api/context.ts'
import { inviteTrial } from '../../trial/invite.jobs.ts'
import { countTrials } from '../../trial/trial-count.jobs.ts'
import { countedPlaces } from '../../trial/trial-count.queries.ts'
import { followUp } from '../../upload/after-upload.jobs.ts'
import { findRunningTrial } from '../demo-funnel.queries.ts'
import { openPast, passDay } from './demo-past.ts'

/** When the invitations of the running demo trial went: before its campaigns, so that the past is lived in its order. */
const INVITED = 66
/** Until the last of them is through: longer than any quiet stretch. */
const FOLLOWING = 3
/** Invites each company once, however often a first start is interrupted. */
const INVITATION = '0192d3b0-0005-7000-8000-000000000001'

/** Cohorts ask for some of what follows an upload, and the jobs for it may still be waiting: those do the rest. */
export async function followUpsFirst(services: Services): Promise<void> {
  for (const { id, companyId } of await countedPlaces(services.pools.system))
    await followUp(services, companyId, id, ['contacts', 'facts'])
}

/**
 * Invites the eligible patients of a demo trial as support does, by the engine's own functions on a clock moved back and against a simulated
 * gateway on the same clock: who may not get one is held back, some texts fail, some people answer STOP. `followUpsFirst` comes before, and
 * every other message of the demo's past after; the sender's loops must not run yet.
 */
export async function replayDemoInvitations(services: Services): Promise<void> {
  const trial = await findRunningTrial(services.pools.system)
  if (!trial) return
  const past = openPast(services)
  past.moveTo(INVITED, 0)
  await countTrials(services, trial.id, past.services.now())
  await inviteTrial.run({ uuid: INVITATION, trial_id: trial.id, login_id: trial.created_by }, past.services)
  for (let days = INVITED; days >= INVITED - FOLLOWING; days--) await passDay(past, days)
}
