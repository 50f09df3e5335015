import type { Services } from '../../api/context.ts'
import { inScope } from '../../db/scope.ts'
import { type HandOver, optOutEvent } from '../../gateways/gateway.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { queueRecount } from '../run/recount-queue.queries.ts'
import { shareRun } from '../run/run-state.queries.ts'
import type { Claim, ClaimedMessage } from './claim.ts'
import {
  ASK_AFTER_SECONDS,
  acceptedChange,
  lockMessages,
  type MessageChange,
  neverHandedOver,
  rejectedChange,
  removeUnsent,
  requeuedChange,
  type StandingMessage,
  unknownChange,
  wakeBatches,
  writeChanges,
} from './record.queries.ts'
import { referenceOf } from './reference.ts'

/** Records the results of a claim. Newer findings of the reconciler or a receipt stay, unless this knows more. */
export async function recordAnswers(services: Services, claim: Claim, answers: readonly HandOver[]): Promise<void> {
  const { batch, messages } = claim
  await keepOptOuts(services, claim, answers)
  const scope = { companyId: batch.companyId, locationIds: [batch.locationId] }
  return inScope(services.pools.app, scope, async (tx) => {
    const now = services.now()
    // Ending the run happens before or after, and never misses messages returned to the queue.
    if (answers.some((answer) => answer.kind === 'later')) await shareRun(tx, batch.runId)
    const standing = await lockMessages(
      tx,
      services.keys,
      batch.locationId,
      messages.map((message) => message.id),
    )
    const changes: MessageChange[] = []
    const never: StandingMessage[] = []
    let again: Date | null = null
    // A gateway that takes nothing at all may be set up wrongly: its word on a number does not count.
    const works = answers.some(({ kind }) => kind === 'accepted')
    messages.forEach((message, at) => {
      const row = standing.get(message.id)
      const answer = answers[at]!
      const change = row && changeOf(row, answer, message, claim, now)
      if (!row || !change) return
      changes.push({ ...change, gone: change.gone && works })
      if (neverHandedOver(change)) never.push(row)
      if (change.state === 'queued' && change.plannedAt && (!again || change.plannedAt < again))
        again = change.plannedAt
    })
    await writeChanges(tx, batch.locationId, changes)
    if (claim.facts.kind !== 'confirmation') await removeUnsent(tx, services.keys, batch.companyId, never)
    if (again) await wakeBatches(tx, batch.locationId, [batch.id], again)
    await queueRecount(tx, [batch.locationId])
  })
}

/** People who have opted out at the gateway: recorded as if it had reported it, since their STOP may be older than this installation. */
async function keepOptOuts({ pools, keys, sms, now }: Services, claim: Claim, answers: readonly HandOver[]) {
  const { facts, batch, messages } = claim
  const out = messages.filter((_message, at) => answers[at]?.kind === 'rejected' && answers[at].optedOut)
  const events = out.map(({ id }) => optOutEvent(referenceOf(facts.runUuid, batch.locationId, id), now()))
  await insertGatewayEvents(pools.system, keys, sms.name, events)
}

function changeOf(
  row: StandingMessage,
  answer: HandOver,
  message: ClaimedMessage,
  claim: Claim,
  now: Date,
): MessageChange | null {
  // Acceptance is true in any state; everything else concerns only this attempt.
  if (answer.kind === 'accepted') return acceptedChange(row, answer.gatewayRef, now)
  if (row.attempts !== message.attempt || row.planned_at?.getTime() !== claim.at.getTime()) return null
  if (answer.kind === 'rejected') return rejectedChange(row, answer, now)
  if (answer.kind === 'unknown') return row.state === 'sending' ? unknownChange(row, ASK_AFTER_SECONDS) : null
  // Certainly not accepted, so this does not count as an attempt.
  return requeuedChange(row, new Date(now.getTime() + answer.seconds * 1000), row.attempts - 1, now)
}
