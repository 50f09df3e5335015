import { type contract, Refusal } from '@pillar/contract'
import { reasonText } from '@pillar/domain/cohort/held-back'
import { noteCounts } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import { inviteTrial } from './invite.jobs.ts'
import { companiesToInvite, invitingTrial, textsOfTrial, uncounted } from './invite.queries.ts'
import { type InviteCount, inviteCompany, invitingTexts, linkedTexts, noInvitees } from './invite.ts'
import { findTrial, lockTrial, trialId } from './trial-admin.queries.ts'

type Handlers = HandlersOf<typeof contract.trialInvite>

/** Why a trial cannot invite, as a sentence; empty if it can. */
async function inviteProblem(context: Context, trial: { id: number; name: string; active: boolean }): Promise<string> {
  if (!trial.active) return `"${trial.name}" is not active. Please activate it first.`
  if ((await uncounted(staffTx(context), trial.id, context.services.now())).waits)
    return `The eligible patients of "${trial.name}" are being counted by its new criteria. Please try again in a few minutes.`
  const texts = await textsOfTrial(staffTx(context), trial.id)
  if (invitingTexts(texts).length > 0) return ''
  return linkedTexts(texts).length > 0
    ? `Each template of "${trial.name}" that has {Consent ID} is marketing. An invitation goes out as health outreach. Please choose a template that is.`
    : `No template of "${trial.name}" has {Consent ID}, the link with which patients answer. Please choose one that has.`
}

/** Counts over all companies as the job will, and writes nothing. */
async function countInvitees(context: Context, id: number): Promise<InviteCount> {
  const { services } = context
  const trial = await invitingTrial(services.pools.system, id)
  const texts = invitingTexts(await textsOfTrial(staffTx(context), id))
  const counts = noInvitees()
  if (!trial || texts.length === 0) return counts
  for (const company of await companiesToInvite(services.pools.system, id))
    await inviteCompany(services, company, { uuid: uuidv7(), trial, texts, loginId: null }, counts, false)
  return counts
}

const forecast: Handlers['forecast'] = async ({ trial_id }, context) => {
  const tx = staffTx(context)
  const { active, name } = await findTrial(tx, trial_id)
  const id = await trialId(tx, trial_id)
  const not_ready = await inviteProblem(context, { id, name, active })
  const counts = not_ready === '' ? await countInvitees(context, id) : noInvitees()
  const held = [...counts.held].map(([reason, count]) => ({ reason: reasonText(reason, 'sms'), count }))
  const costs = [...counts.cents].map(([country, cents]) => ({ country, cost: cents / 100 }))
  const { sms, email } = counts
  const { pharmacies: not_counted } = await uncounted(tx, id, context.services.now())
  return { not_ready, sms, email, costs, held: held.sort((a, b) => b.count - a.count), not_counted }
}

const start: Handlers['start'] = async ({ trial_id }, context) => {
  const tx = staffTx(context)
  const found = await lockTrial(tx, trial_id)
  const problem = await inviteProblem(context, found)
  if (problem !== '') throw new Refusal('conflict', `${problem} Nobody was invited.`)
  const uuid = uuidv7()
  await context.services.queue.send(tx, inviteTrial, { uuid, trial_id: found.id, login_id: callerOf(context).loginId })
  noteCounts(context, { invitations: 1 })
  return { id: trial_id }
}

export const trialInviteHandlers: Handlers = { forecast, start }
