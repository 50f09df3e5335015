import type { TrialState } from '@pillar/domain/consent/consent'
import { formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { dayIn } from '@pillar/domain/time/zone'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { openWholeContacts, storedContacts } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { contactSource, isWritten } from '../../db/field/written.ts'
import { shareConsent } from '../consent/consent-log.queries.ts'
import { deceasedElsewhere } from '../person/death.queries.ts'
import { shareRun } from '../run/run-state.queries.ts'
import { trialState } from '../trial/trial-state.queries.ts'
import type { Channel, LeasedBatch } from './lease.queries.ts'

/** What all messages of a batch share at the time of the claim. */
export interface BatchFacts {
  runUuid: string
  context: string
  channel: Channel
  /** health_outreach, marketing, trial, or confirmation: the answer to a STOP, to which consent, frequency limit and quiet hours do not apply. */
  kind: string
  /** A follow-up of a sequence that requires consent to health outreach in addition to marketing, which `kind` names. */
  outreachToo: boolean
  subject: string | null
  smsSender: string | null
  endsAt: Date | null
  /** For an invitation to a clinical trial: whether the trial may invite today; null for everything else. */
  trial: TrialState | null
  /** The trial linked in an invitation. */
  trialId: number | null
  /** The pharmacy has left: nothing more is sent in its name. */
  left: boolean
  /** A run to fake patients only: to contacts staff confirmed as their own, at once, without a frequency limit. */
  test: boolean
  /** Sending hours changed, and messages after this id are yet to be rescheduled; null for none. */
  replannedTo: number | null
  pharmacy: {
    name: string
    street_address: string | null
    town: string | null
    region: string | null
    postcode: string | null
    phone_number: string | null
    country: Country
    time_zone: string
  }
}

/**
 * The batch of a lease, or null if it may not send now: stopped, or its run stopped or ended. Locks the run and the pharmacy's consent
 * until the transaction ends.
 */
export async function openBatch(tx: Tx, batch: LeasedBatch, now: Date): Promise<BatchFacts | null> {
  await shareRun(tx, batch.runId)
  await shareConsent(tx, batch.locationId)
  const row = await tx
    .selectFrom('message_batch as b')
    .innerJoin('message_run as r', 'r.id', 'b.run_id')
    .innerJoin('location as l', 'l.id', 'b.location_id')
    .leftJoin('messaging_setting as s', 's.company_id', 'l.company_id')
    .where('b.location_id', '=', batch.locationId)
    .where('b.id', '=', batch.id)
    .where('b.stopped_at', 'is', null)
    .where('r.state', 'in', ['holding', 'sending'])
    .where('r.starts_at', '<=', now)
    .select(['r.uuid as run_uuid', 'b.context', 'b.message_kind', 'b.subject', 'b.sms_sender', 'r.ends_at', 'l.name'])
    .select(['l.street_address', 'l.town', 'l.region', 'l.postcode', 'l.phone_number', 'l.country', 'l.time_zone'])
    .select(['l.sms_sender as own_sender', 's.sms_sender as company_sender', 'l.removed_at'])
    .select(['r.trial_id', 'r.test', 'b.replanned_to'])
    .select(
      sql<boolean>`b.message_kind = 'marketing' and exists (
        select from sequence q left join template t on t.id = b.template_id where q.location_id = b.location_id and q.id = r.sequence_id
          and (q.health_outreach_consent or t.message_kind = 'health_outreach'))`.as('outreach_too'),
    )
    .executeTakeFirst()
  if (!row) return null
  const { name, street_address, town, region, postcode, phone_number, time_zone } = row
  const place = { name, street_address, town, region, postcode, phone_number, time_zone }
  return {
    runUuid: row.run_uuid,
    context: row.context,
    channel: batch.channel,
    kind: row.message_kind,
    outreachToo: row.outreach_too,
    subject: row.subject,
    smsSender: row.sms_sender ?? row.own_sender ?? row.company_sender,
    endsAt: row.ends_at,
    trialId: row.trial_id,
    trial: row.trial_id === null ? null : await trialState(tx, row.trial_id, formatDay(dayIn(time_zone, now))),
    left: row.removed_at !== null,
    test: row.test,
    replannedTo: row.replanned_to,
    pharmacy: { ...place, country: row.country as Country },
  }
}

/** A queued message, locked, with the patient's current data. */
export interface QueuedMessage {
  id: number
  patientId: number
  /** In stored form, like those of the patient. */
  contact: string
  /** The actual number or address; null once it was erased. */
  to: string | null
  body: string
  subject: string | null
  parts: number
  fake: boolean
  /** The person who added the fake patient has confirmed this contact as their own, and that still holds. */
  confirmed: boolean
  /** Current contacts for the two channels. */
  sms_to: string | null
  email_to: string | null
  /** A gateway says that the patient's contact for this channel does not exist. */
  gone: boolean
  /** Whether the pharmacy recorded a contact for this channel. */
  written: boolean
  deceased: boolean
  /** Another pharmacy of the company records the death. */
  deceasedElsewhere: boolean
  facility: boolean
  /** The dispensing system reports an opt-out that is not in the log yet. */
  importedOut: boolean
  choices: Record<
    Channel,
    Record<'health_outreach' | 'marketing', { choice: 'unknown' | 'in' | 'out'; entry: number | null }>
  >
}

/** How long a message waits to be checked again while its patient's new contacts are still being resolved. */
const SETTLES_SECONDS = 60

/**
 * Locks up to `count` due messages of a batch, earliest first, skipping those locked by another sender. Postpones messages to patients for
 * whom the pharmacy has written a different contact since; it is resolved within minutes of the upload.
 * @returns the others, and how many were postponed
 */
export async function lockQueued(
  tx: Tx,
  keys: Keys,
  batch: LeasedBatch,
  count: number,
  now: Date,
): Promise<{ due: QueuedMessage[]; later: number }> {
  const locked = await lockRows(tx, batch, count, now)
  const unsettled = locked.flatMap((row) => (row.unsettled ? [row.id] : []))
  if (unsettled.length > 0)
    await sql`update message set planned_at = ${now}::timestamptz + make_interval(secs => ${sql.lit(SETTLES_SECONDS)})
              where location_id = ${batch.locationId} and id = any(${unsettled}::bigint[])`.execute(tx)
  const rows = locked.filter((row) => !row.unsettled)
  const contacts = rows.flatMap((row) => [row.contact, row.sms_to, row.email_to])
  const stored = await storedContacts(tx, keys, contacts)
  const opened = await openWholeContacts(
    tx,
    keys,
    rows.map(({ contact }) => contact),
  )
  const died = await deceasedElsewhere(
    tx,
    batch.locationId,
    rows.map(({ patientId }) => patientId),
  )
  const as = (contact: string | null) => (contact === null ? null : stored.get(contact)!)
  const messages = rows.map(({ so, soe, sm, sme, eo, eoe, em, eme, added_by, unsettled: _, ...row }) => {
    const cell = (choice: string | null, entry: number | null) => ({ choice: (choice ?? 'unknown') as 'in', entry })
    return {
      ...row,
      ...{ contact: as(row.contact)!, sms_to: as(row.sms_to), email_to: as(row.email_to) },
      ...{ to: opened.get(row.contact) ?? null, added_by, confirmed: false },
      deceasedElsewhere: died.has(row.patientId),
      choices: {
        sms: { health_outreach: cell(so, soe), marketing: cell(sm, sme) },
        email: { health_outreach: cell(eo, eoe), marketing: cell(em, eme) },
      },
    }
  })
  return { due: await markConfirmed(tx, batch.channel, messages, now), later: unsettled.length }
}

interface QueuedRow extends Omit<QueuedMessage, 'choices' | 'to' | 'confirmed' | 'deceasedElsewhere'> {
  added_by: number | null
  unsettled: boolean
  so: string | null
  soe: number | null
  sm: string | null
  sme: number | null
  eo: string | null
  eoe: number | null
  em: string | null
  eme: number | null
}

async function lockRows(tx: Tx, batch: LeasedBatch, count: number, now: Date): Promise<QueuedRow[]> {
  const sms = batch.channel === 'sms'
  const { rows } = await sql<QueuedRow>`
    select m.id, m.patient_id as "patientId", m.contact, m.body, m.subject, m.parts, m.fake or coalesce(p.fake, false) as fake,
      t.added_by, p.sms_to, p.email_to,
      b.message_kind <> 'confirmation' and coalesce(p.contact_source <> ${contactSource('p')}, false) as unsettled,
      ${sms ? sql`p.sms_gone_at` : sql`p.email_gone_at`} is not null as gone, ${isWritten('p', sms ? 'mobile' : 'email')} as written,
      p.deceased_on is not null as deceased, coalesce(p.facility, false) as facility,
      coalesce(${sms ? sql`p.sms_opt_out and not coalesce(c.imported_sms_opt_out, false)` : sql`p.email_opt_out and not coalesce(c.imported_email_opt_out, false)`}, false) as "importedOut",
      c.sms_health_outreach as so, c.sms_health_outreach_entry as soe, c.sms_marketing as sm, c.sms_marketing_entry as sme,
      c.email_health_outreach as eo, c.email_health_outreach_entry as eoe, c.email_marketing as em, c.email_marketing_entry as eme
    from message m
      join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
      left join patient p on p.location_id = m.location_id and p.id = m.patient_id
      left join consent c on c.location_id = m.location_id and c.patient_id = m.patient_id
      left join fake_patient t on t.location_id = m.location_id and t.patient_id = m.patient_id
    where m.location_id = ${batch.locationId} and m.batch_id = ${batch.id} and m.state = 'queued' and m.planned_at <= ${now}
    order by m.planned_at limit ${count} for update of m skip locked`.execute(tx)
  return rows
}

/** For messages to fake patients, sets whether the person who added them has confirmed the contact. */
async function markConfirmed(
  tx: Tx,
  channel: Channel,
  messages: readonly (QueuedMessage & { added_by: number | null })[],
  now: Date,
): Promise<QueuedMessage[]> {
  const asked = messages.filter(({ added_by }) => added_by !== null)
  if (asked.length === 0) return [...messages]
  const { rows } = await sql<{ id: number }>`
    select n.id from unnest(${asked.map(({ id }) => id)}::bigint[], ${asked.map(({ added_by }) => added_by)}::bigint[],
      ${asked.map(({ to }) => to)}::text[]) as n(id, added_by, contact)
    where is_confirmed_contact(n.added_by, ${channel}, n.contact, ${now})`.execute(tx)
  const confirmed = new Set(rows.map(({ id }) => id))
  return messages.map((message) => ({ ...message, confirmed: confirmed.has(message.id) }))
}

export interface ClaimMark {
  id: number
  rule: string
  entryId: number | null
  parts: number
  cents: number
}

/** Turns locked messages into `sending` until the lease ends; `planned_at` becomes the instant of the claim. */
export async function markSending(
  tx: Tx,
  locationId: number,
  marks: readonly ClaimMark[],
  gateway: string,
  now: Date,
  leaseSeconds: number,
): Promise<Map<number, number>> {
  if (marks.length === 0) return new Map()
  const { rows } = await sql<{ id: number; attempts: number }>`
    update message m set state = 'sending', attempts = m.attempts + 1, planned_at = ${now}, gateway = ${gateway}, reason = null,
      lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}::float8),
      rule = v.rule, consent_entry_id = v.entry, parts = v.parts, cents = v.cents
    from unnest(${marks.map((mark) => mark.id)}::bigint[], ${marks.map((mark) => mark.rule)}::text[],
      ${marks.map((mark) => mark.entryId)}::bigint[], ${marks.map((mark) => mark.parts)}::smallint[],
      ${marks.map((mark) => mark.cents)}::int[]) as v(id, rule, entry, parts, cents)
    where m.location_id = ${locationId} and m.id = v.id
    returning m.id, m.attempts`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.attempts]))
}

/** Marks locked messages as `skipped`, each with its reason. */
export async function markSkipped(
  tx: Tx,
  locationId: number,
  skips: readonly { id: number; reason: string }[],
  now: Date,
): Promise<void> {
  if (skips.length === 0) return
  await sql`
    update message m set state = 'skipped', reason = v.reason, cents = 0, settled_at = ${now}
    from unnest(${skips.map((skip) => skip.id)}::bigint[], ${skips.map((skip) => skip.reason)}::text[]) as v(id, reason)
    where m.location_id = ${locationId} and m.id = v.id`.execute(tx)
}

/**
 * Ends a lease: `next_at` becomes the time of the earliest message left, or now if that is past or some are yet to be rescheduled, so that
 * batches take turns. The row is locked in a separate statement, so that the next one sees messages returned by others.
 */
export async function closeBatch(tx: Tx, batch: LeasedBatch, worker: string, now: Date): Promise<void> {
  await sql`select id from message_batch where location_id = ${batch.locationId} and id = ${batch.id} for update`.execute(
    tx,
  )
  await sql`
    update message_batch b set
      next_at = (select case when b.replanned_to is null then greatest(min(m.planned_at), ${now}::timestamptz) else ${now} end from message m
                 where m.location_id = b.location_id and m.batch_id = b.id and m.state = 'queued' having count(*) > 0),
      leased_by = case when b.leased_by = ${worker} then null else b.leased_by end,
      leased_until = case when b.leased_by = ${worker} then null else b.leased_until end
    where b.location_id = ${batch.locationId} and b.id = ${batch.id}`.execute(tx)
}
