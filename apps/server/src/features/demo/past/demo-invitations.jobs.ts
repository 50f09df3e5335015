import type { Services } from '../../../api/context.ts'
import { settleContacts } from '../../cohort/fill-contacts.jobs.ts'
import { companiesToInvite, invitingTrial, textsOfTrial } from '../../trial/invite.queries.ts'
import { inviteCompany, invitingTexts, noInvitees } from '../../trial/invite.ts'
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
  const { system, staff } = services.pools
  const running = await findRunningTrial(system)
  const trial = running && (await invitingTrial(system, running.id))
  if (!trial) return
  await settleContacts(services)
  const past = openPast(services)
  past.moveTo(INVITED, 0)
  await countTrials(services, trial.id, past.services.now())
  const texts = invitingTexts(await textsOfTrial(staff, trial.id))
  const invitation = { uuid: INVITATION, trial, texts, loginId: running.created_by }
  for (const company of await companiesToInvite(system, trial.id))
    await inviteCompany(past.services, company, invitation, noInvitees(), true)
  for (let days = INVITED; days >= INVITED - FOLLOWING; days--) await passDay(past, days)
}
