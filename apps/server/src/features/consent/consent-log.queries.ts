import {
  CHANNELS,
  CONSENT_KINDS,
  type Consent,
  type ConsentEvent,
  type ConsentForm,
  consentOf,
  type Unstamped,
} from '@pillar/domain/consent/consent'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { rowName, SEALED } from '../../db/field/columns.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { copyConsent } from '../cohort/fact/fact-consent.queries.ts'
import { skipOptedOut } from '../run/cancel/skip.queries.ts'
import { queueRecount } from '../run/recount-queue.queries.ts'
import { noteOptedOut } from '../trial/invited.queries.ts'

/** Advisory lock namespace of pharmacies' consent: claims hold it shared; changing consent or rebuilding its copies takes it exclusively. */
const CONSENT_SPACE = 7321

/**
 * Taken exclusively until the transaction ends by everything that changes consent of a pharmacy's patients; for several pharmacies in order
 * of id. A claim in progress ends first, and the next one sees the change: nothing is claimed after an opt-out has committed.
 */
export async function lockConsent(tx: Tx, locationId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(CONSENT_SPACE)}, ${locationId}::int)`.execute(tx)
}

/** Held by a claim from before it reads consent until it commits. */
export async function shareConsent(tx: Tx, locationId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${sql.lit(CONSENT_SPACE)}, ${locationId}::int)`.execute(tx)
}

export interface NewConsent {
  locationId: number
  patientId: number
  /** When the person said it. */
  at: Date
  event: Unstamped<ConsentEvent>
  /** The words the person read and agreed to, or wrote, verbatim. */
  wording: string | null
  /** Where it came from: 'consent page', 'reply', 'unsubscribe page', 'one-click', 'complaint', 'upload', 'head office'. */
  source: string
  /** The number or address it came from, if any, and the keys that seal it. */
  contact?: { text: string | null; keys: Keys }
  /** Identifies the entry, so that retries record it only once. Default: a new one. */
  uuid?: string
}

export interface RecordedConsent {
  /** Null if an entry with that uuid existed; then nothing was changed. */
  entryId: number | null
  before: Consent
  after: Consent
  /** Whether any choice changed. */
  changed: boolean
  /** Queued messages that became skipped `opted_out`. */
  skipped: number
}

/**
 * Adds one entry to a patient's log, rebuilds the consent row from the whole log, and skips queued messages that are no longer allowed. All
 * in the caller's transaction, under `lockConsent`, which it takes itself. The patient must be of that pharmacy and in the scope.
 */
export async function recordConsent(tx: Tx, entry: NewConsent, now: Date): Promise<RecordedConsent> {
  const { locationId, patientId, event } = entry
  await lockConsent(tx, locationId)
  const log = await readLog(tx, locationId, patientId)
  const before = consentOf(log.map((one) => one.event))
  const uuid = entry.uuid ?? uuidv7()
  if (log.some((one) => one.uuid === uuid)) return { entryId: null, before, after: before, changed: false, skipped: 0 }
  const { text, keys } = entry.contact ?? {}
  const seal = text ? await keys?.sealer(SEALED.consentContact.name) : null
  const { id } = await tx
    .insertInto('consent_entry')
    .values({
      location_id: locationId,
      uuid,
      patient_id: patientId,
      at: entry.at,
      type: event.type,
      channel: event.type === 'import_opt_out' ? event.channel : null,
      answers: event.type === 'form' ? JSON.stringify(event.answers) : null,
      wording: entry.wording,
      source: entry.source,
      contact_sealed: text && seal ? seal(rowName(locationId, uuid), text) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const added = { ...event, id: String(id), at: entry.at.getTime() } as ConsentEvent
  const after = consentOf([...log.map((one) => one.event), added])
  await writeConsent(tx, locationId, patientId, after, now)
  const changed = CHANNELS.some((channel) =>
    CONSENT_KINDS.some((kind) => before[channel][kind].choice !== after[channel][kind].choice),
  )
  const skipped = changed ? await skipOptedOut(tx, locationId, [patientId], now) : 0
  const out = CHANNELS.filter((channel) => after[channel].health_outreach.choice === 'out')
  if (changed) await noteOptedOut(tx, locationId, patientId, out, now)
  // The campaign whose message it answered recounts its opt-outs.
  if (changed && (event.type === 'stop' || event.type === 'unsubscribe')) await queueRecount(tx, [locationId])
  return { entryId: id, before, after, changed, skipped }
}

/** A patient's whole log with the uuid of each entry, unordered. */
export async function readLog(
  tx: Tx,
  locationId: number,
  patientId: number,
): Promise<{ uuid: string; event: ConsentEvent }[]> {
  const rows = await tx
    .selectFrom('consent_entry')
    .select(['id', 'uuid', 'at', 'type', 'channel', 'answers'])
    .where('location_id', '=', locationId)
    .where('patient_id', '=', patientId)
    .execute()
  return rows.map((row) => ({ uuid: row.uuid, event: eventOf(row) }))
}

/** A stored entry as the rules read it, with the row's id. */
export function eventOf(row: {
  id: number
  at: Date
  type: string
  channel: string | null
  answers: unknown
}): ConsentEvent {
  const stamp = { id: String(row.id), at: row.at.getTime() }
  if (row.type === 'form') return { ...stamp, type: 'form', answers: row.answers as ConsentForm }
  if (row.type === 'import_opt_out') {
    return { ...stamp, type: 'import_opt_out', channel: row.channel === 'email' ? 'email' : 'sms' }
  }
  return { ...stamp, type: row.type as 'stop' | 'start' | 'unsubscribe' }
}

/** Writes the consent row that follows from the log. Keeps the dispensing system's latest flags. */
async function writeConsent(tx: Tx, locationId: number, patientId: number, consent: Consent, now: Date): Promise<void> {
  const entry = (id: string | null) => (id === null ? null : Number(id))
  const { sms, email } = consent
  const cells = {
    sms_health_outreach: sms.health_outreach.choice,
    sms_marketing: sms.marketing.choice,
    email_health_outreach: email.health_outreach.choice,
    email_marketing: email.marketing.choice,
    sms_health_outreach_entry: entry(sms.health_outreach.entry),
    sms_marketing_entry: entry(sms.marketing.entry),
    email_health_outreach_entry: entry(email.health_outreach.entry),
    email_marketing_entry: entry(email.marketing.entry),
    updated_at: now,
  }
  await tx
    .insertInto('consent')
    .values({ location_id: locationId, patient_id: patientId, ...cells })
    .onConflict((conflict) => conflict.columns(['location_id', 'patient_id']).doUpdateSet(cells))
    .execute()
  await copyConsent(tx, locationId, [patientId])
}
