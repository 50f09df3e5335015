import type { ConsentEvent } from '@pillar/domain/consent/consent'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { eventOf } from './consent-log.queries.ts'

/** The IANA zone of a pharmacy in the scope. */
export async function zoneOfPharmacy(tx: Tx, locationId: number): Promise<string> {
  const { time_zone } = await tx
    .selectFrom('location')
    .select('time_zone')
    .where('id', '=', locationId)
    .executeTakeFirstOrThrow()
  return time_zone
}

/** The patients of a pharmacy with this number in its dispensing system, except test patients and erased ones. */
export async function patientsOfNumber(tx: Tx, locationId: number, number: string) {
  return tx
    .selectFrom('patient')
    .select(['id', 'first_name', 'last_name'])
    .where('location_id', '=', locationId)
    .where('source_id', '=', number)
    .where('fake', '=', false)
    .where('erased_at', 'is', null)
    .execute()
}

export interface StoredEntry {
  uuid: string
  event: ConsentEvent
  wording: string | null
  source: string
}

/** A patient's whole consent log with its words, unordered. */
export async function readEntries(tx: Tx, locationId: number, patientId: number): Promise<StoredEntry[]> {
  const rows = await tx
    .selectFrom('consent_entry')
    .select(['id', 'uuid', 'at', 'type', 'channel', 'answers', 'wording', 'source'])
    .where('location_id', '=', locationId)
    .where('patient_id', '=', patientId)
    .execute()
  return rows.map((row) => ({ uuid: row.uuid, event: eventOf(row), wording: row.wording, source: row.source }))
}

export interface SentMessage {
  at: Date
  channel: 'sms' | 'email'
  state: 'sent' | 'delivered' | 'failed' | 'unknown'
  /** What the run belongs to, such as 'sequence', and the name of its campaign if it has one. */
  context: string
  campaign: string | null
  template: string
  rule: string | null
  /** Id of the entry that allowed it. */
  entry: number | null
}

/** Messages handed to a gateway, or possibly handed over, for a patient from `from` until `to`, newest first. */
export async function messagesSent(
  tx: Tx,
  { locationId, patientId, from, to }: { locationId: number; patientId: number; from: Date; to: Date },
): Promise<SentMessage[]> {
  const at = sql`coalesce(m.sent_at, m.planned_at, m.created_at)`
  const { rows } = await sql<SentMessage>`
    select ${at} as at, m.channel, m.state, r.context, c.name as campaign, b.template_name as template, m.rule,
           m.consent_entry_id as entry
    from message m
    join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
    join message_run r on r.id = m.run_id
    left join campaign c on c.id = r.campaign_id
    where m.location_id = ${locationId} and m.patient_id = ${patientId} and m.state in ('sent', 'delivered', 'failed', 'unknown')
      and (m.sent_at is not null or m.state = 'unknown') and ${at} >= ${from} and ${at} <= ${to}
    order by 1 desc, m.id desc`.execute(tx)
  return rows
}
