import type { Services } from '../../../api/context.ts'
import { inviteTrial } from '../../trial/invite.jobs.ts'
import { countTrials } from '../../trial/trial-count.jobs.ts'
import { countedPlaces } from '../../trial/trial-count.queries.ts'
import { followUp } from '../../upload/after-upload.jobs.ts'
import { findRunningTrial } from '../demo-funnel.queries.ts'
import { openPast, passDay } from './demo-past.ts'

/** When the running demo trial sent its invitations: before its campaigns, so that the past happens in order. */
const INVITED = 66
/** Days until the last of them is done: longer than any quiet stretch. */
const FOLLOWING = 3
/** Invites each company once, however often a first start is interrupted. */
const INVITATION = '0192d3b0-0005-7000-8000-000000000001'

/** Cohorts need some of the work after an upload, and its jobs may still be waiting: this does the part they need, the jobs do the rest. */
export async function followUpsFirst(services: Services): Promise<void> {
  for (const { id, companyId } of await countedPlaces(services.pools.system))
    await followUp(services, companyId, id, ['contacts', 'facts'])
}

/**
 * Invites the eligible patients of a demo trial as support does, by the engine's own functions on a clock moved back and against a
 * simulated gateway on the same clock: people who may not get one are held back, some texts fail, some people answer STOP. Run
 * `followUpsFirst` before it, and all other messages of the demo's past after it; the sender's loops must not run yet.
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
