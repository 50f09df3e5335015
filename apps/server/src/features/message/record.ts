import type { Services } from '../../api/context.ts'
import { inScope } from '../../db/scope.ts'
import type { HandOver } from '../../gateways/sms.ts'
import type { Claim, ClaimedMessage } from './claim.ts'
import { markDue } from './due.queries.ts'
import {
  ASK_AFTER_SECONDS,
  acceptedChange,
  lockMessages,
  type MessageChange,
  neverWent,
  rejectedChange,
  requeuedChange,
  type StandingMessage,
  uncount,
  unknownChange,
  wakeBatches,
  writeChanges,
} from './record.queries.ts'
import { shareRun } from './run.queries.ts'

/** Writes down what became of a claim's messages. What the reconciler or a receipt has found out meanwhile stands, unless this knows more. */
export function recordAnswers(services: Services, claim: Claim, answers: readonly HandOver[]): Promise<void> {
  const { batch, messages } = claim
  const scope = { companyId: batch.companyId, locationIds: [batch.locationId] }
  return inScope(services.pools.app, scope, async (tx) => {
    const now = services.now()
    // Whoever ends the run meanwhile comes before or after, and never misses what goes back to the queue.
    if (answers.some((answer) => answer.kind === 'later')) await shareRun(tx, batch.runId)
    const standing = await lockMessages(
      tx,
      batch.locationId,
      messages.map((message) => message.id),
    )
    const changes: MessageChange[] = []
    const never: StandingMessage[] = []
    let again: Date | null = null
    messages.forEach((message, at) => {
      const row = standing.get(message.id)
      const answer = answers[at]!
      const change = row && changeOf(row, answer, message, claim, now)
      if (!row || !change) return
      changes.push(change)
      if (neverWent(change)) never.push(row)
      if (change.state === 'queued' && change.plannedAt && (!again || change.plannedAt < again))
        again = change.plannedAt
    })
    await writeChanges(tx, batch.locationId, changes)
    if (claim.facts.kind !== 'confirmation') await uncount(tx, batch.companyId, never)
    if (again) await wakeBatches(tx, batch.locationId, [batch.id], again)
    await markDue(tx, [batch.locationId])
  })
}

function changeOf(
  row: StandingMessage,
  answer: HandOver,
  message: ClaimedMessage,
  claim: Claim,
  now: Date,
): MessageChange | null {
  // That it was taken is true whatever has happened to the row; everything else is news of this attempt only.
  if (answer.kind === 'accepted') return acceptedChange(row, answer.gatewayRef, now)
  if (row.attempts !== message.attempt || row.planned_at?.getTime() !== claim.at.getTime()) return null
  if (answer.kind === 'rejected') return rejectedChange(row, answer.reason, now)
  if (answer.kind === 'unknown') return row.state === 'sending' ? unknownChange(row, ASK_AFTER_SECONDS) : null
  // Surely not taken, so this was no attempt.
  return requeuedChange(row, new Date(now.getTime() + answer.seconds * 1000), row.attempts - 1, now)
}
