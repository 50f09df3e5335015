import { type Consent, type ConsentCell, type Purpose, permissionFor } from '@pillar/domain/consent'
import { type FrequencyCap, keepsCap } from '@pillar/domain/frequency-cap'
import { allowedText, heldReason, type SkipReason } from '@pillar/domain/held-back'
import { MERGE_FIELDS } from '@pillar/domain/merge-field'
import { nextAllowed } from '@pillar/domain/quiet-hours'
import { changeOptOut, countSms, OPT_OUT_LINK, optOutFor, smsCents } from '@pillar/domain/sms-text'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { consentLinks, optOutLink } from '../consent/consent-link.queries.ts'
import {
  type BatchFacts,
  type ClaimMark,
  closeBatch,
  deferDue,
  lockDue,
  markSending,
  markSkipped,
  openBatch,
  type QueuedMessage,
  skipDue,
} from './claim.queries.ts'
import { markDue } from './due.queries.ts'
import { addHistory, lockHistory } from './history.queries.ts'
import type { LeasedBatch } from './lease.queries.ts'
import { readRules } from './rules.queries.ts'

/** A message that is ours to hand over until the lease ends. */
export interface ClaimedMessage {
  id: number
  patientId: number
  contact: string
  /** As it goes out, links put in. */
  body: string
  subject: string | null
  attempt: number
}

export interface Claim {
  batch: LeasedBatch
  facts: BatchFacts
  messages: ClaimedMessage[]
  /** The instant of the claim, which the cap counts from. */
  at: Date
  /** Whether anything was skipped or put off besides. */
  moved: boolean
}

/**
 * Claims up to `count` due messages of a leased batch and ends the lease, in one transaction: everything that may forbid a message is
 * looked at again under locks, what is forbidden is skipped with its reason, the rest is `sending`. Null when nothing may go.
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
    if (claim?.moved) await markDue(tx, [batch.locationId])
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
  const { cap, hours } = await readRules(tx, facts.pharmacy.country)
  if (facts.left) return { messages: [], moved: (await skipDue(tx, batch, 'stopped', now)) > 0 }
  const allowed = facts.kind === 'confirmation' ? now : nextAllowed(hours, facts.pharmacy.time_zone, now)
  if (!allowed || (facts.endsAt && allowed > facts.endsAt)) {
    return { messages: [], moved: (await skipDue(tx, batch, 'quiet_hours', now)) > 0 }
  }
  if (allowed.getTime() !== now.getTime()) {
    await deferDue(tx, batch, allowed, now)
    return { messages: [], moved: true }
  }
  const due = await lockDue(tx, batch, count, now)
  const history = await lockHistory(tx, batch.companyId, facts.kind === 'confirmation' ? [] : due.flatMap(keysOf))
  const verdicts = judge(due, facts, cap, history, now)
  const skips = due.flatMap(({ id }, at) => (verdicts[at] ? [{ id, reason: verdicts[at] }] : []))
  const goes = due.filter((_, at) => verdicts[at] === null)
  await markSkipped(tx, batch.locationId, skips, now)
  if (facts.kind !== 'confirmation') await addHistory(tx, batch.companyId, goes.flatMap(keysOf), now)
  const bodies = await finished(tx, services, batch.locationId, facts, goes)
  const marks = goes.map((message, at) => markOf(message, facts, bodies[at]!))
  const gateway = batch.channel === 'sms' ? services.sms.name : services.bulkEmail.name
  const attempts = await markSending(tx, batch.locationId, marks, gateway, now, leaseSeconds)
  const messages = goes.map(({ id, patientId, contact, subject }, at) => ({
    id,
    patientId,
    contact,
    subject,
    body: bodies[at]!,
    attempt: attempts.get(id)!,
  }))
  return { messages, moved: skips.length > 0 }
}

/** Everything that means the same person to the cap. */
export const keysOf = (message: Pick<QueuedMessage, 'contact' | 'sms_to' | 'email_to'>): string[] => [
  ...new Set([message.contact, message.sms_to, message.email_to].filter((key) => key !== null)),
]

/** Why each message must not go, null where it may; those that may count towards the cap of those after them. `history` is added to. */
export function judge(
  due: readonly QueuedMessage[],
  facts: Pick<BatchFacts, 'kind' | 'channel'>,
  cap: FrequencyCap,
  history: Map<string, number[]>,
  now: Date,
): (SkipReason | null)[] {
  return due.map((message) => {
    const contact = facts.channel === 'sms' ? message.sms_to : message.email_to
    const answer = facts.kind === 'confirmation'
    const keys = answer ? [] : keysOf(message)
    const reason = heldReason(
      {
        consent: answer ? 'allowed' : permissionOf(message, facts),
        // Someone who wrote to us has a number, whatever the pharmacy wrote down since.
        contact: answer ? message.contact : message.written ? (contact ?? 'unusable') : contact,
        // A number that has changed since is no longer the patient's.
        contactValid: answer || contact === message.contact,
        deceased: !answer && message.deceased,
        facility: !answer && message.facility,
        capped: !keys.every((key) => keepsCap(cap, history.get(key) ?? [], now.getTime())),
        alreadyContacted: false,
        testPatient: message.fake,
      },
      false,
    )
    if (reason === null) for (const key of keys) history.set(key, [...(history.get(key) ?? []), now.getTime()])
    return reason
  })
}

function permissionOf(message: QueuedMessage, facts: Pick<BatchFacts, 'kind' | 'channel'>) {
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
  // An invitation to a trial needs the trial's own state, which nothing records yet: none goes.
  return permissionFor(facts.kind as Purpose, facts.channel, consent)
}

function markOf(message: QueuedMessage, facts: BatchFacts, body: string): ClaimMark {
  const entry =
    facts.kind === 'confirmation'
      ? null
      : message.choices[facts.channel][facts.kind === 'marketing' ? 'marketing' : 'health_outreach'].entry
  // A link is as long as it is: the bill follows the text that goes out.
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
 * The messages as they go out. Links are made when the message leaves, and kept nowhere; a text has the opt-out of the sender it leaves
 * from, which may be another than when it was written.
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
  const links = await consentLinks(
    tx,
    services,
    asking.map(({ id, patientId }) => ({ locationId, id, patientId })),
  )
  return messages.map(({ id, body }) => {
    const text = body.replaceAll(MERGE_FIELDS.consent_id, links.get(id) ?? '')
    return optOut === null
      ? text
      : changeOptOut(text, optOut).replaceAll(OPT_OUT_LINK, optOutLink(services, locationId, id))
  })
}
