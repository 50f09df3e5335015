import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { GONE_REASONS } from './fate.ts'

/** A message the simulator takes. Times follow its own clock. */
export interface SimulatorMessage {
  reference: string
  channel: 'sms' | 'email'
  recipient: string
  sender: string
  subject: string | null
  body: string
  outcome: 'delivered' | 'failed' | null
  reason: string | null
  reply: string | null
  receiptAt: Date | null
  replyAt: Date | null
}

export interface TakenMessage {
  id: number
  reference: string
  /** The status already reported; null while it is only accepted. */
  reported: 'delivered' | 'failed' | null
  reason: string | null
}

/** Takes messages in one statement. A known reference stays as it was, whatever comes now. @returns the ids by reference */
export async function takeMessages(
  system: Database,
  messages: readonly SimulatorMessage[],
  now: Date,
): Promise<Map<string, number>> {
  const column = <K extends keyof SimulatorMessage>(key: K) => messages.map((one) => one[key])
  const taken = await sql<{ id: number; reference: string }>`
    insert into simulator_message
      (reference, channel, recipient, sender, subject, body, outcome, reason, reply, receipt_at, reply_at, accepted_at)
    select *, ${now}::timestamptz
    from unnest(${column('reference')}::text[], ${column('channel')}::text[], ${column('recipient')}::text[],
      ${column('sender')}::text[], ${column('subject')}::text[], ${column('body')}::text[], ${column('outcome')}::text[],
      ${column('reason')}::text[], ${column('reply')}::text[], ${column('receiptAt')}::timestamptz[],
      ${column('replyAt')}::timestamptz[])
    on conflict (reference) do nothing
    returning id, reference`.execute(system)
  const ids = new Map(taken.rows.map((row) => [row.reference, row.id]))
  const repeated = messages.filter((one) => !ids.has(one.reference))
  if (repeated.length === 0) return ids
  const kept = await findTaken(
    system,
    repeated.map((one) => one.reference),
  )
  for (const one of kept) ids.set(one.reference, one.id)
  return ids
}

/** The messages it has for these references. */
export async function findTaken(system: Database, references: readonly string[]): Promise<TakenMessage[]> {
  const found = await sql<TakenMessage>`
    select id, reference, reason, case when receipt_at is null then outcome end as reported
    from simulator_message where reference = any (${references}::text[])`.execute(system)
  return found.rows
}

/**
 * Turns due receipts and replies into gateway events, at most `limit` of each, oldest first; several processes share the
 * work. Marking and reporting are one statement, so each is reported exactly once. @returns how many were reported
 */
export async function signalDue(system: Database, now: Date, limit: number): Promise<number> {
  const receipts = await sql`
    with due as (
      select id from simulator_message where receipt_at <= ${now} order by receipt_at limit ${limit}
      for update skip locked
    ), reported as (
      update simulator_message m set receipt_at = null from due where m.id = due.id
      returning m.id, m.reference, m.outcome, m.reason
    )
    insert into gateway_event (gateway, event_id, payload)
    select 'simulator', 'receipt-' || reference, jsonb_build_object('id', 'receipt-' || reference, 'at', ${now.toISOString()}::text,
      'kind', 'receipt', 'reference', reference, 'gatewayRef', 'sim-' || id, 'status', outcome, 'reason', reason, 'gone', coalesce(reason = any(${[...GONE_REASONS]}::text[]), false))
    from reported on conflict (gateway, event_id) do nothing`.execute(system)
  const replies = await sql`
    with due as (
      select id from simulator_message where reply_at <= ${now} order by reply_at limit ${limit}
      for update skip locked
    ), reported as (
      update simulator_message m set reply_at = null from due where m.id = due.id
      returning m.reference, m.recipient, m.sender, m.reply
    )
    insert into gateway_event (gateway, event_id, payload)
    select 'simulator', 'reply-' || reference, jsonb_build_object('id', 'reply-' || reference, 'at', ${now.toISOString()}::text,
      'kind', 'reply', 'from', recipient, 'to', sender, 'text', reply)
    from reported on conflict (gateway, event_id) do nothing`.execute(system)
  return Number(receipts.numAffectedRows ?? 0) + Number(replies.numAffectedRows ?? 0)
}

/** Deletes messages older than `before` that have nothing left to report. @returns how many */
export async function removeOldTexts(system: Database, before: Date): Promise<number> {
  const gone = await sql`
    delete from simulator_message
    where accepted_at < ${before} and receipt_at is null and reply_at is null`.execute(system)
  return Number(gone.numAffectedRows ?? 0)
}
