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
  rule: string | null
  /** Id of the entry that allowed it. */
  entry: number | null
}

/** Messages handed to a gateway, or possibly handed over, for a patient from `from` until `to`, newest first. */
export async function messagesSent(
  tx: Tx,
  { locationId, patientId, from, to }: { locationId: number; patientId: number; from: Date; to: Date },
): Promise<SentMessage[]> {
  const at = sql`coalesce(sent_at, planned_at, created_at)`
  const { rows } = await sql<SentMessage>`
    select ${at} as at, channel, state, rule, consent_entry_id as entry from message
    where location_id = ${locationId} and patient_id = ${patientId} and state in ('sent', 'delivered', 'failed', 'unknown')
      and (sent_at is not null or state = 'unknown') and ${at} >= ${from} and ${at} <= ${to}
    order by 1 desc, id desc`.execute(tx)
  return rows
}
