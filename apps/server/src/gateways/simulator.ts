import type { Database } from '../db/database.ts'
import { type Fate, fateOf, GONE_REASONS } from '../features/simulator/fate.ts'
import { findTaken, type SimulatorMessage, takeMessages } from '../features/simulator/simulator.queries.ts'
import {
  type EmailGateway,
  type HandOver,
  type LookUp,
  type OutgoingEmail,
  type OutgoingSms,
  type SmsGateway,
  systemTime,
} from './gateway.ts'

/** A number the Australian regulator reserves for fiction; unlike a name, it can be answered. */
const SENDER = '+61491570006'
const NAME = 'simulator'

type Draft = Pick<SimulatorMessage, 'reference' | 'recipient' | 'sender' | 'subject' | 'body'>
/** The seed for a message's fate: the same text, the same fate. */
type Drawn = (draft: Draft) => string

const byReference: Drawn = ({ reference }) => reference

/** Simulated texts: stored in the database, with made-up receipts and replies. Shared by all processes. `now` is the phones' clock. */
export function openSmsSimulator(
  system: Database,
  perSecond: number,
  sender: string | undefined,
  now = systemTime,
  drawn: Drawn = byReference,
): SmsGateway {
  const defaultSender = sender ?? SENDER
  return {
    name: NAME,
    simulated: true,
    perSecond,
    defaultSender,
    send: (messages) =>
      take(
        system,
        'sms',
        messages.map((one) => draftOfSms(one, defaultSender)),
        now(),
        drawn,
      ),
    lookUp: (messages) => lookUp(system, messages),
  }
}

/** Simulated campaign email, likewise. */
export function openEmailSimulator(
  system: Database,
  perSecond: number,
  now = systemTime,
  drawn: Drawn = byReference,
): EmailGateway {
  return {
    name: NAME,
    simulated: true,
    perSecond,
    send: (messages) => take(system, 'email', messages.map(draftOfEmail), now(), drawn),
    lookUp: (messages) => lookUp(system, messages),
  }
}

const draftOfSms = (one: OutgoingSms, defaultSender: string): Draft => ({
  reference: one.reference,
  recipient: one.to,
  sender: one.from ?? defaultSender,
  subject: null,
  body: one.text,
})

const draftOfEmail = (one: OutgoingEmail): Draft => ({
  reference: one.reference,
  recipient: one.to,
  sender: one.fromName,
  subject: one.subject,
  body: one.text,
})

async function take(
  system: Database,
  channel: 'sms' | 'email',
  drafts: readonly Draft[],
  now: Date,
  drawn: Drawn,
): Promise<HandOver[]> {
  const fates = drafts.map((one) => fateOf(channel, drawn(one), one.recipient, one.sender))
  const taken = new Map<string, SimulatorMessage>()
  drafts.forEach((draft, at) => {
    if (fates[at]!.taken) taken.set(draft.reference, withFate(draft, channel, fates[at]!, now))
  })
  try {
    const ids = await takeMessages(system, [...taken.values()], now)
    return drafts.map((draft, at) => answerOf(fates[at]!, ids.get(draft.reference)))
  } catch {
    // The single statement may or may not have been committed when the connection broke.
    return drafts.map(() => ({ kind: 'unknown', reason: 'The simulated gateway lost its database' }))
  }
}

function withFate(draft: Draft, channel: 'sms' | 'email', fate: Fate, now: Date): SimulatorMessage {
  return {
    ...draft,
    channel,
    outcome: fate.outcome,
    reason: fate.reason,
    reply: fate.reply,
    receiptAt: fate.outcome ? new Date(now.getTime() + fate.receiptAfter) : null,
    replyAt: fate.reply ? new Date(now.getTime() + fate.replyAfter) : null,
  }
}

function answerOf(fate: Fate, id: number | undefined): HandOver {
  if (fate.answer === 'rejected') return { kind: 'rejected', reason: fate.reason ?? 'The gateway refused it' }
  if (fate.answer === 'lost' || id === undefined) {
    return { kind: 'unknown', reason: 'The gateway did not answer in time' }
  }
  return { kind: 'accepted', gatewayRef: `sim-${id}` }
}

async function lookUp(system: Database, messages: readonly { reference: string }[]): Promise<LookUp[]> {
  try {
    const references = messages.map((one) => one.reference)
    const taken = new Map((await findTaken(system, references)).map((one) => [one.reference, one]))
    return references.map((reference) => {
      const one = taken.get(reference)
      if (!one) return { kind: 'absent' }
      return {
        kind: 'accepted',
        gatewayRef: `sim-${one.id}`,
        receipt: one.reported,
        reason: one.reported && one.reason,
        gone: one.reported === 'failed' && GONE_REASONS.includes(one.reason ?? ''),
      }
    })
  } catch {
    return messages.map(() => ({ kind: 'unsure' }))
  }
}
