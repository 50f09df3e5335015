import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { lotsOf, readLong } from '../../db/list.ts'
import { WITH_OWNER } from '../location/owner.queries.ts'
import { standing } from '../sending/rule/cancelled.queries.ts'
import type { ReportKind } from './report-file.queries.ts'

export interface PharmacyContact {
  id: number
  uuid: string
  name: string
  state: string | null
  country: string
  timeZone: string
  contact: { name: string; email: string } | null
}

/** The scope's pharmacies by name, each with its owner, to whom its reports are mailed; null if none is set, or the owner is locked out. */
export async function pharmacyContacts(tx: Tx): Promise<PharmacyContact[]> {
  const { rows } = await sql<PharmacyContact>`
    select l.id, l.uuid, l.name, l.region as state, l.country, l.time_zone as "timeZone",
           case when o.reachable then json_build_object('name', o.name, 'email', o.email) end as contact
    from location l ${WITH_OWNER}
    where l.removed_at is null order by l.name, l.id`.execute(tx)
  return rows
}

export interface NewRequest {
  locationId: number
  companyId: number
  from: string
  to: string
  askedBy: number
  now: Date
  /** Default: the message history. */
  kind?: ReportKind
  /** Default: the pharmacy's contact. */
  toEmail?: string
}

const REPORT_LOCK_SPACE = 7358
/** A repeat of the same request within these seconds is a second click, or a retry of one that went through: one email is enough. */
const SAME_SECONDS = 60

/**
 * Records a request for a pharmacy's report; days ISO, inclusive.
 * @returns the request's id; null if the same was requested a moment ago
 */
export async function insertRequest(tx: Tx, request: NewRequest): Promise<number | null> {
  const { locationId, from, to, now, kind = 'history', toEmail = null } = request
  await sql`select pg_advisory_xact_lock(${sql.lit(REPORT_LOCK_SPACE)}, (${locationId}::bigint % 2147483647)::int)`.execute(
    tx,
  )
  const { rows } = await sql<{ id: number }>`
    select id from report_request where location_id = ${locationId} and kind = ${kind} and from_day = ${from} and to_day = ${to}
      and lower(to_email) is not distinct from lower(${toEmail}::text) and state <> 'failed'
      and asked_at > ${now}::timestamptz - make_interval(secs => ${sql.lit(SAME_SECONDS)}) limit 1`.execute(tx)
  if (rows.length > 0) return null
  const row = await tx
    .insertInto('report_request')
    .values({
      location_id: locationId,
      company_id: request.companyId,
      from_day: from,
      to_day: to,
      asked_by: request.askedBy,
      asked_at: now,
      kind,
      to_email: toEmail,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Counts one more attempt at a waiting request; undefined if it has ended. */
export async function beginRequest(system: Database, id: number) {
  return system
    .updateTable('report_request')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning(['id', 'location_id', 'company_id', 'from_day', 'to_day', 'asked_by', 'attempts', 'kind', 'to_email'])
    .returning('asked_at')
    .executeTakeFirst()
}

/** Takes back an attempt that failed for reasons unrelated to the report. */
export async function uncountAttempt(system: Database, id: number): Promise<void> {
  await system
    .updateTable('report_request')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Ends a waiting request. @returns false if another worker has ended it; then nothing may follow */
export async function endRequest(tx: Tx, id: number, state: 'mailed' | 'failed', now: Date): Promise<boolean> {
  const ended = await tx
    .updateTable('report_request')
    .set({ state, ended_at: now })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return ended.numUpdatedRows > 0n
}

/** One message in a report; `at` by the pharmacy's clock, such as '2026-11-20 14:05'. */
export interface HistoryRow {
  at: string
  patient: string | null
  first_name: string | null
  last_name: string | null
  channel: 'sms' | 'email'
  context: string
  campaign: string | null
  template: string
  state: 'queued' | 'sending' | 'sent' | 'delivered' | 'failed' | 'skipped' | 'unknown'
  reason: string | null
  parts: number
  cents: number
  /** Why it was allowed, and the consent log entry behind it: when by the pharmacy's clock, from where, and its words verbatim. */
  rule: string | null
  consent_at: string | null
  consent_source: string | null
  consent_wording: string | null
}

/**
 * A pharmacy's messages to real patients on these days (ISO, inclusive, by its own clock), earliest first, in lots from a cursor, so that
 * memory holds one lot at a time.
 */
export async function* historyLots(
  tx: Tx,
  ask: { locationId: number; timeZone: string; from: string; to: string },
): AsyncGenerator<HistoryRow[]> {
  await readLong(tx)
  const at = sql`coalesce(m.sent_at, m.planned_at, m.created_at)`
  const { state, reason } = standing()
  yield* lotsOf(
    tx,
    sql<HistoryRow>`
    select to_char(${at} at time zone ${ask.timeZone}, 'YYYY-MM-DD HH24:MI') as at, p.source_id as patient, p.first_name, p.last_name,
           m.channel, r.context, c.name as campaign, b.template_name as template, ${state} as state, ${reason} as reason,
           m.parts,
           case when m.sent_at is not null then m.cents else 0 end as cents, m.rule,
           to_char(e.at at time zone ${ask.timeZone}, 'YYYY-MM-DD HH24:MI') as consent_at, e.source as consent_source, e.wording as consent_wording
    from message m
    join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
    join message_run r on r.id = m.run_id
    left join campaign c on c.id = r.campaign_id
    left join patient p on p.location_id = m.location_id and p.id = m.patient_id
    left join consent_entry e on e.location_id = m.location_id and e.id = m.consent_entry_id
    where m.location_id = ${ask.locationId} and not m.fake
      and ${at} >= ${ask.from}::date::timestamp at time zone ${ask.timeZone}
      and ${at} < (${ask.to}::date + 1)::timestamp at time zone ${ask.timeZone}
    order by ${at}, m.id`,
  )
}

/** A report's recipient: the enabled login of the company with that address; null if there is none. */
export async function companyRecipient(
  db: Database | Tx,
  companyId: number,
  email: string,
): Promise<{ id: number; name: string; email: string } | null> {
  const { rows } = await sql<{ id: number; name: string; email: string }>`
    select id, first_name || ' ' || last_name as name, email from login
    where company_id = ${companyId} and lower(email) = lower(${email.trim()}) and disabled_at is null`.execute(db)
  return rows[0] ?? null
}
