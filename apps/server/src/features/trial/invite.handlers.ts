import { type contract, Refusal } from '@pillar/contract'
import { noteCounts } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import { forecastTrial } from './forecast/trial-forecast.ts'
import { inviteTrial } from './invite.jobs.ts'
import { textsOfTrial, uncounted } from './invite.queries.ts'
import { invitingTexts, linkedTexts } from './invite.ts'
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

const forecast: Handlers['forecast'] = async ({ trial_id }, context) => {
  const tx = staffTx(context)
  const { active, name } = await findTrial(tx, trial_id)
  const id = await trialId(tx, trial_id)
  const not_ready = await inviteProblem(context, { id, name, active })
  const counted = not_ready === '' ? await forecastTrial(context.services, tx, id) : NOBODY
  const { countedAt, ...counts } = counted ?? NOBODY
  const { pharmacies: not_counted } = await uncounted(tx, id, context.services.now())
  return { not_ready, ...counts, not_counted, counting: counted === null, counted_at: countedAt?.toISOString() ?? null }
}

const NOBODY = { sms: 0, email: 0, costs: [], held: [], countedAt: null as Date | null }

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
