import { type FrequencyCap, keepsCap } from '@pillar/domain/cohort/frequency-cap'
import { allowedText, heldReason, type SkipReason } from '@pillar/domain/cohort/held-back'
import { type Consent, type ConsentCell, type Purpose, permissionFor } from '@pillar/domain/consent/consent'
import { MERGE_FIELDS } from '@pillar/domain/message/merge-field'
import { changeOptOut, countSms, OPT_OUT_LINK, optOutFor, smsCents } from '@pillar/domain/message/sms-text'
import { nextAllowed } from '@pillar/domain/time/quiet-hours'
import { WITHDRAW_LINK } from '@pillar/domain/trial/agreement'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { calendarOf } from '../../db/local-calendar.ts'
import { inScope } from '../../db/scope.ts'
import { consentLinks, optOutLink } from '../consent/link/consent-link.queries.ts'
import { trialLinks, withdrawLink } from '../consent/link/trial-link.queries.ts'
import { queueRecount } from '../run/recount-queue.queries.ts'
import { pastCeiling } from '../run/spare-cents.queries.ts'
import {
  type BatchFacts,
  type ClaimMark,
  closeBatch,
  lockQueued,
  markSending,
  markSkipped,
  openBatch,
  type QueuedMessage,
} from './claim.queries.ts'
import { addHistory, lockHistory } from './history.queries.ts'
import type { LeasedBatch } from './lease.queries.ts'
import { postponeQueued, replanNext, skipQueued } from './rule/replan.queries.ts'
import { readRulesAt } from './rule/rules.queries.ts'

/** A message that this worker sends until the lease ends. */
export interface ClaimedMessage {
  id: number
  patientId: number
  /** The actual number or address. */
  contact: string
  /** The text as sent, with its links. */
  body: string
  subject: string | null
  attempt: number
}

export interface Claim {
  batch: LeasedBatch
  facts: BatchFacts
  messages: ClaimedMessage[]
  /** Time of the claim; the frequency limit counts from it. */
  at: Date
  /** Whether other messages were skipped or postponed. */
  moved: boolean
}

/**
 * Claims up to `count` due messages of a leased batch and ends the lease, in one transaction: every check that may forbid a message is
 * repeated under locks; forbidden messages are skipped with their reason, the rest become `sending`. Null if none may be sent.
 */
export function claimMessages(
  services: Services,
  batch: LeasedBatch,
  worker: string,
  count: number,
  leaseSeconds: number,
): Promise<Claim | null> {
  const scope = { companyId: batch.companyId, locationIds: [batch.locationId] }
  return inScope(services.pools.app, scope, async (tx) => {
    const now = services.now()
    const facts = await openBatch(tx, batch, now)
    const claim = facts && (await claimOpen(tx, services, batch, facts, count, leaseSeconds, now))
    await closeBatch(tx, batch, worker, now)
    if (claim?.moved) await queueRecount(tx, [batch.locationId])
    return claim && facts ? { batch, facts, at: now, ...claim } : null
  })
}

async function claimOpen(
  tx: Tx,
  services: Services,
  batch: LeasedBatch,
  facts: BatchFacts,
  count: number,
  leaseSeconds: number,
  now: Date,
): Promise<Pick<Claim, 'messages' | 'moved'>> {
  if (facts.replannedTo !== null) await replanNext(tx, batch, facts.replannedTo, now)
  const { caps, hours } = await readRulesAt(tx, facts.pharmacy.country, batch.locationId)
  if (facts.left) return { messages: [], moved: (await skipQueued(tx, batch, 'stopped', now)) > 0 }
  const free = isFree(facts)
  const allowed = free ? now : nextAllowed(hours, calendarOf(facts.pharmacy), now)
  if (!allowed || (facts.endsAt && allowed > facts.endsAt)) {
    return { messages: [], moved: (await skipQueued(tx, batch, 'quiet_hours', now)) > 0 }
  }
  if (allowed.getTime() !== now.getTime()) {
    await postponeQueued(tx, batch, allowed, now)
    return { messages: [], moved: true }
  }
  const { due, later } = await lockQueued(tx, services.keys, batch, count, now)
  const history = await lockHistory(tx, services.keys, batch.companyId, free ? [] : due.flatMap(keysOf))
  const verdicts = judge(due, facts, caps, history, now)
  const may = due.filter((_, at) => verdicts[at] === null)
  const bodies = await finished(tx, services, batch.locationId, facts, may)
  const ready = may.map((message, at) => ({ message, body: bodies[at]!, mark: markOf(message, facts, bodies[at]!) }))
  const parts = ready.map(({ message, mark }) => ({ written: message.parts, now: mark.parts }))
  const past = await pastCeiling(tx, batch.runId, parts)
  const goes = ready.filter((_, at) => !past[at])
  const skips = [
    ...due.flatMap(({ id }, at) => (verdicts[at] ? [{ id, reason: verdicts[at] }] : [])),
    ...may.flatMap(({ id }, at) => (past[at] ? [{ id, reason: 'past_ceiling' as const }] : [])),
  ]
  await markSkipped(tx, batch.locationId, skips, now)
  const keys = goes.flatMap(({ message }) => keysOf(message))
  if (!free) await addHistory(tx, batch.companyId, keys, now)
  const marks = goes.map(({ mark }) => mark)
  const gateway = batch.channel === 'sms' ? services.sms.name : services.bulkEmail.name
  const attempts = await markSending(tx, batch.locationId, marks, gateway, now, leaseSeconds)
  const messages = goes.map(({ message: { id, patientId, to, subject }, body }) => ({
    id,
    patientId,
    contact: to!,
    subject,
    body,
    attempt: attempts.get(id)!,
  }))
  return { messages, moved: skips.length + later > 0 }
}

/**
 * Quiet hours and the frequency limit apply neither to answers to a STOP nor to tests on staff's own phones; neither counts towards the
 * limit.
 */
const isFree = ({ kind, test }: Pick<BatchFacts, 'kind' | 'test'>) => kind === 'confirmation' || test

/** Everything that identifies the same person for the frequency limit. */
export const keysOf = (message: Pick<QueuedMessage, 'contact' | 'sms_to' | 'email_to'>): string[] => [
  ...new Set([message.contact, message.sms_to, message.email_to].filter((key) => key !== null)),
]

/** Why each message is held back, null if it may be sent; those sent count towards the limit of later ones. Updates `history`. */
export function judge(
  due: readonly QueuedMessage[],
  facts: Pick<BatchFacts, 'kind' | 'outreachToo' | 'channel' | 'trial' | 'test'>,
  caps: readonly FrequencyCap[],
  history: Map<string, number[]>,
  now: Date,
): (SkipReason | null)[] {
  return due.map((message) => {
    const contact = facts.channel === 'sms' ? message.sms_to : message.email_to
    const answer = facts.kind === 'confirmation'
    const keys = isFree(facts) ? [] : keysOf(message)
    const reason = heldReason(
      {
        consent: answer ? 'allowed' : permissionOf(message, facts),
        // A person who texted us has a working number, whatever the pharmacy has recorded since.
        contact: answer ? message.contact : message.written ? (contact ?? 'unusable') : contact,
        // A number that has changed since no longer belongs to the patient.
        contactValid: message.to !== null && (answer || contact === message.contact),
        unreachable: !answer && message.gone,
        deceased: !answer && message.deceased,
        deceasedElsewhere: !answer && message.deceasedElsewhere,
        facility: !answer && message.facility,
        capped: !keys.every((key) => caps.every((cap) => keepsCap(cap, history.get(key) ?? [], now.getTime()))),
        alreadyContacted: false,
        // A real run never reaches a fake patient; a test reaches only fake patients, and only numbers that staff have confirmed.
        testPatient: facts.test ? !(message.fake && message.confirmed) : message.fake,
      },
      false,
    )
    if (reason === 'invalid_contact' && contact !== null && contact !== message.contact) return 'contact_changed'
    if (reason === null) for (const key of keys) history.set(key, [...(history.get(key) ?? []), now.getTime()])
    return reason
  })
}

function permissionOf(
  message: QueuedMessage,
  facts: Pick<BatchFacts, 'kind' | 'outreachToo' | 'channel' | 'trial' | 'test'>,
) {
  const cell = ({ choice }: { choice: ConsentCell['choice'] }): ConsentCell => ({
    choice,
    entry: null,
    beforeStop: null,
  })
  const { sms, email } = message.choices
  const consent: Consent = {
    sms: { health_outreach: cell(sms.health_outreach), marketing: cell(sms.marketing) },
    email: { health_outreach: cell(email.health_outreach), marketing: cell(email.marketing) },
  }
  if (message.importedOut) return 'opted_out' as const
  // Confirming the number as their own counts as agreeing; a STOP from it applies all the same.
  if (facts.test && message.choices[facts.channel].marketing.choice !== 'out')
    return permissionFor('health_outreach', facts.channel, consent)
  if (facts.outreachToo && message.choices[facts.channel].health_outreach.choice === 'out') return 'opted_out' as const
  return permissionFor(facts.kind as Purpose, facts.channel, consent, facts.trial)
}

function markOf(message: QueuedMessage, facts: BatchFacts, body: string): ClaimMark {
  const entry =
    facts.kind === 'confirmation'
      ? null
      : message.choices[facts.channel][facts.kind === 'marketing' ? 'marketing' : 'health_outreach'].entry
  // Links have a fixed length: the bill follows the text as sent.
  const parts = facts.channel === 'sms' && body !== message.body ? countSms(body).parts : message.parts
  return {
    id: message.id,
    rule: allowedText(facts.kind, entry !== null),
    entryId: entry,
    parts,
    cents: facts.channel === 'sms' ? smsCents(parts) : 0,
  }
}

/**
 * The messages as sent. Links are created at sending and stored nowhere; a text gets the opt-out of its current
 * sender, which may have changed since it was written.
 */
async function finished(
  tx: Tx,
  services: Services,
  locationId: number,
  facts: BatchFacts,
  messages: readonly QueuedMessage[],
): Promise<string[]> {
  const optOut = facts.channel === 'sms' ? optOutFor(facts.smsSender ?? services.sms.defaultSender) : null
  const asking = messages.filter((message) => message.body.includes(MERGE_FIELDS.consent_id))
  const asked = asking.map(({ id, patientId }) => ({ locationId, id, patientId }))
  const links =
    facts.trialId === null
      ? await consentLinks(tx, services, asked)
      : await trialLinks(tx, services, { id: facts.trialId, timeZone: facts.pharmacy.time_zone }, asked)
  const exits = await exitsOf(tx, services, locationId, facts, messages)
  return messages.map(({ id, body }) => {
    const text = body
      .replaceAll(MERGE_FIELDS.consent_id, links.get(id) ?? '')
      .replaceAll(WITHDRAW_LINK, exits.get(id) ?? '')
    return optOut === null
      ? text
      : changeOptOut(text, optOut).replaceAll(OPT_OUT_LINK, optOutLink(services, locationId, id))
  })
}

/** The withdrawal links of the trial confirmations among these messages, by message id. */
async function exitsOf(
  tx: Tx,
  services: Services,
  locationId: number,
  { trialId, context }: BatchFacts,
  messages: readonly QueuedMessage[],
): Promise<Map<number, string>> {
  const exits = new Map<number, string>()
  if (trialId === null || context !== 'communication') return exits
  for (const { id, patientId } of messages)
    exits.set(id, (await withdrawLink(tx, services, { locationId, trialId, patientId })).withdraw_url)
  return exits
}
