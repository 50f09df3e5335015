import { afterReceipt, type MessageState, mayBecome } from '@pillar/domain/message/message-state'
import { smsCents } from '@pillar/domain/message/sms-text'
import { withoutContact } from '@pillar/domain/text/without-contact'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { openWholeContacts, storedContacts } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { noteDelivered } from '../trial/invited.queries.ts'
import { noteGone, noteReached } from './gone.queries.ts'
import { removeHistory } from './history.queries.ts'

/** Seconds until the first look-up of an unknown message; by then anything in transit has arrived. */
export const ASK_AFTER_SECONDS = 15

/** A message in its current state, locked. */
export interface StandingMessage {
  id: number
  state: MessageState
  reason: string | null
  channel: 'sms' | 'email'
  /** In stored form, like those of the patient; null once the person was erased. */
  contact: string | null
  /** The actual number or address. */
  to: string | null
  /** The person's other keys for the frequency limit. */
  sms_to: string | null
  email_to: string | null
  parts: number
  attempts: number
  planned_at: Date | null
  sent_at: Date | null
  settled_at: Date | null
  gateway_ref: string | null
  run_uuid: string
  /** The run has ended, or its batch was stopped for good, so nothing more of it is sent. */
  run_over: boolean
  batch_id: number
  /** The trace of the run's activation. */
  trace: string | null
}

/** Locks messages of a pharmacy in id order. Callers that may queue them again hold their runs' locks shared first. */
export async function lockMessages(
  tx: Tx,
  keys: Keys,
  locationId: number,
  ids: readonly number[],
): Promise<Map<number, StandingMessage>> {
  const { rows } = await sql<Omit<StandingMessage, 'to' | keyof OwnContacts> & { patient_id: number }>`
    select m.id, m.state, m.reason, m.channel, m.contact, m.patient_id, m.parts, m.attempts, m.planned_at, m.sent_at, m.settled_at,
      m.gateway_ref, r.uuid as run_uuid, m.batch_id, r.trace,
      r.state in ('done', 'failed') or (b.stopped_at is not null and r.campaign_id is null) as run_over
    from message m join message_run r on r.id = m.run_id
      join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
    where m.location_id = ${locationId} and m.id = any(${[...ids]}::bigint[])
    order by m.id for update of m`.execute(tx)
  const own = await contactsNow(
    tx,
    locationId,
    rows.map((row) => row.patient_id),
  )
  const opened = await openWholeContacts(
    tx,
    keys,
    rows.map(({ contact }) => contact),
  )
  return new Map(
    rows.map(({ patient_id, ...row }) => {
      const to = row.contact === null ? null : (opened.get(row.contact) ?? null)
      return [row.id, { ...row, ...(own.get(patient_id) ?? NO_CONTACTS), to }]
    }),
  )
}

type OwnContacts = Pick<StandingMessage, 'sms_to' | 'email_to'>
const NO_CONTACTS: OwnContacts = { sms_to: null, email_to: null }

/**
 * The current contacts of a pharmacy's patients. Queried separately: joined to messages, a pharmacy expected to have few patients would be
 * scanned for each message.
 */
async function contactsNow(
  tx: Tx,
  locationId: number,
  patientIds: readonly number[],
): Promise<Map<number, OwnContacts>> {
  const { rows } = await sql<OwnContacts & { id: number }>`
    select id, sms_to, email_to from patient where location_id = ${locationId} and id = any(${[...new Set(patientIds)]}::bigint[])`.execute(
    tx,
  )
  return new Map(rows.map(({ id, ...contacts }) => [id, contacts]))
}

/** The new state of a message. */
export interface MessageChange {
  id: number
  state: MessageState
  reason: string | null
  cents: number
  sentAt: Date | null
  settledAt: Date | null
  gatewayRef: string | null
  /** Queued again: the time it may be sent. */
  plannedAt: Date | null
  attempts: number
  /** Unknown: seconds until the next look-up; null for no more. */
  askIn: number | null
  /** Failed because there is no such number or address. */
  gone: boolean
}

/** The change to accepted, on the gateway's word: it costs from here on. Null if that is known already. */
export function acceptedChange(message: StandingMessage, gatewayRef: string | null, at: Date): MessageChange | null {
  const state = afterReceipt(message.state, 'sent')
  if (state === message.state && message.gateway_ref) return null
  const reason = state === 'failed' ? message.reason : null
  const ref = message.gateway_ref ?? gatewayRef
  return { ...standing(message), state, reason, sentAt: message.sent_at ?? at, gatewayRef: ref }
}

/** The change from a receipt, null for none. A failure after acceptance still costs. */
export function receiptChange(
  message: StandingMessage,
  receipt: {
    status: 'sent' | 'delivered' | 'failed'
    reason: string | null
    gone?: boolean
    gatewayRef: string | null
    at: Date
  },
): MessageChange | null {
  const state = afterReceipt(message.state, receipt.status)
  if (state === message.state) return null
  return {
    ...standing(message),
    state,
    reason: state === 'failed' ? (reasonKept(message, receipt.reason) ?? 'The gateway gave no reason') : null,
    sentAt: message.sent_at ?? receipt.at,
    settledAt: state === 'sent' ? null : receipt.at,
    gatewayRef: message.gateway_ref ?? receipt.gatewayRef,
    gone: state === 'failed' && receipt.gone === true,
  }
}

/** The gateway's reason as stored; nothing if the message's contact was erased, because nobody knows which words identify the person. */
const reasonKept = ({ to }: StandingMessage, reason: string | null): string | null =>
  reason === null || to === null ? null : withoutContact(reason, to)

/** The change to `failed` for a message never accepted: it costs nothing. Null if stronger evidence exists. */
export function rejectedChange(
  message: StandingMessage,
  { reason, gone = false }: { reason: string; gone?: boolean },
  at: Date,
): MessageChange | null {
  if (!mayBecome(message.state, 'failed') || message.sent_at) return null
  return { ...standing(message), state: 'failed', reason, cents: 0, settledAt: at, gone }
}

/**
 * The change back to `queued` for a message the gateway does not have; to `skipped` if its run has ended or its batch was stopped for good,
 * like all its queued messages. Null if stronger evidence exists.
 */
export function requeuedChange(
  message: StandingMessage,
  plannedAt: Date,
  attempts: number,
  now: Date,
): MessageChange | null {
  if (!mayBecome(message.state, 'queued')) return null
  if (!message.run_over) return { ...standing(message), state: 'queued', plannedAt, attempts }
  return { ...standing(message), state: 'skipped', reason: 'stopped', cents: 0, settledAt: now, attempts }
}

/** The change to `unknown`, or to a later look-up. Null if stronger evidence exists. */
export function unknownChange(message: StandingMessage, askIn: number | null): MessageChange | null {
  if (message.state !== 'unknown' && !mayBecome(message.state, 'unknown')) return null
  return { ...standing(message), state: 'unknown', plannedAt: message.planned_at, askIn }
}

const standing = (message: StandingMessage): MessageChange => ({
  id: message.id,
  state: message.state,
  reason: null,
  // A receipt may revive a failed message, so the price comes from the parts and not from the row.
  cents: message.channel === 'sms' ? smsCents(message.parts) : 0,
  sentAt: message.sent_at,
  settledAt: message.settled_at,
  gatewayRef: message.gateway_ref,
  plannedAt: message.planned_at,
  attempts: message.attempts,
  askIn: null,
  gone: false,
})

/** Most characters of a reason or an id that are stored: gateways write what they like, and `message_reason` indexes it. */
export const MOST_REASON = 250

/** Writes changes of locked messages. */
export async function writeChanges(tx: Tx, locationId: number, changes: readonly MessageChange[]): Promise<void> {
  if (changes.length === 0) return
  const column = <K extends keyof MessageChange>(key: K) => changes.map((change) => change[key])
  await sql`
    update message m set state = v.state, reason = left(v.reason, ${sql.lit(MOST_REASON)}), cents = v.cents, sent_at = v.sent_at, settled_at = v.settled_at,
      gateway_ref = left(v.gateway_ref, ${sql.lit(MOST_REASON)}), planned_at = v.planned_at, attempts = v.attempts,
      lease_until = clock_timestamp() + make_interval(secs => v.ask_in)
    from unnest(${column('id')}::bigint[], ${column('state')}::text[], ${column('reason')}::text[], ${column('cents')}::int[],
      ${column('sentAt')}::timestamptz[], ${column('settledAt')}::timestamptz[], ${column('gatewayRef')}::text[],
      ${column('plannedAt')}::timestamptz[], ${column('attempts')}::smallint[], ${column('askIn')}::float8[])
      as v(id, state, reason, cents, sent_at, settled_at, gateway_ref, planned_at, attempts, ask_in)
    where m.location_id = ${locationId} and m.id = v.id`.execute(tx)
  const delivered = changes.filter(({ state }) => state === 'delivered').map(({ id }) => id)
  await noteDelivered(tx, locationId, delivered)
  await noteReached(tx, locationId, delivered)
  const gone = changes.filter((change) => change.gone)
  if (gone[0])
    await noteGone(
      tx,
      locationId,
      gone.map(({ id }) => id),
      gone[0].settledAt!,
    )
}

/** Whether a change means that no gateway ever accepted the message. */
export const neverHandedOver = ({ state, sentAt }: MessageChange): boolean =>
  sentAt === null && (state === 'queued' || state === 'skipped' || state === 'failed')

/** Messages that were never sent no longer count towards the frequency limit. */
export async function removeUnsent(
  tx: Tx,
  keys: Keys,
  companyId: number,
  messages: readonly StandingMessage[],
): Promise<void> {
  const contactsOf = ({ contact, sms_to, email_to }: StandingMessage) => [contact, sms_to, email_to]
  const stored = await storedContacts(tx, keys, messages.flatMap(contactsOf))
  const entries = messages.flatMap((message) => {
    const at = message.planned_at
    if (!at) return []
    const own = new Set(contactsOf(message).flatMap((contact) => (contact === null ? [] : stored.get(contact)!)))
    return [...own].map((contact) => ({ contact, at }))
  })
  await removeHistory(tx, keys, companyId, entries)
}

/** Schedules batches again from `at` on, because their messages are queued again. */
export async function wakeBatches(tx: Tx, locationId: number, batchIds: readonly number[], at: Date): Promise<void> {
  if (batchIds.length === 0) return
  const ids = [...new Set(batchIds)].sort((a, b) => a - b)
  await sql`select id from message_batch where location_id = ${locationId} and id = any(${ids}::bigint[]) order by id for update`.execute(
    tx,
  )
  await sql`update message_batch set next_at = least(next_at, ${at}::timestamptz)
            where location_id = ${locationId} and id = any(${ids}::bigint[])`.execute(tx)
}
