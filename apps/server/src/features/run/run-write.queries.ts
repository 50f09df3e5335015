import { LIVE_RUN_STATES } from '@pillar/domain/message/run-state'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Database, Tx } from '../../db/database.ts'
import { traceparent } from '../../gateways/telemetry/trace.ts'
import type { CampaignText } from '../template/text.queries.ts'

/** Advisory lock namespace for writing a run's messages. */
const PREPARE_SPACE = 7312

/** Advisory lock namespace of pharmacies whose messages are being written. */
export const WRITE_SPACE = 7314

/** Held while writing messages of these pharmacies, from before their patients are read until the commit: nobody is erased in between. */
export async function shareWriting(tx: Tx, locationIds: readonly number[]): Promise<void> {
  await sql`
    select count(pg_advisory_xact_lock_shared(${sql.lit(WRITE_SPACE)}, id)::text) from unnest(${[...locationIds]}::int[]) id`.execute(
    tx,
  )
}

/** Keeps writers of a pharmacy's messages out until the transaction ends. @returns false while one is at work */
export async function holdWriting(tx: Tx, locationId: number): Promise<boolean> {
  const { rows } = await sql<{ got: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(WRITE_SPACE)}, ${locationId}::int) as got`.execute(tx)
  return rows[0]?.got ?? false
}

export interface NewRun {
  companyId: number
  campaignId: number
  loginId: number
  now: Date
  startsAt: Date
  endsAt: Date | null
}

/** The campaign's live run, or null. */
export async function liveRunOf(tx: Tx, campaignId: number): Promise<{ uuid: string; starts_at: Date } | null> {
  const run = await tx
    .selectFrom('message_run')
    .select(['uuid', 'starts_at'])
    .where('campaign_id', '=', campaignId)
    .where('state', 'in', LIVE_RUN_STATES)
    .executeTakeFirst()
  return run ?? null
}

/** Adds a run whose messages are still to be written. A campaign has at most one live run: a second violates a unique index. */
export async function insertRun(tx: Tx, run: NewRun): Promise<{ id: number; uuid: string; starts_at: Date }> {
  return tx
    .insertInto('message_run')
    .values({
      uuid: uuidv7(),
      company_id: run.companyId,
      context: 'campaign',
      campaign_id: run.campaignId,
      state: 'preparing',
      created_by: run.loginId,
      created_at: run.now,
      starts_at: run.startsAt,
      ends_at: run.endsAt,
      trace: traceparent(),
    })
    .returning(['id', 'uuid', 'starts_at'])
    .executeTakeFirstOrThrow()
}

/** Moves the end of a campaign's live run; null for no end. Messages skipped for the earlier end stay skipped. */
export async function setRunEnd(tx: Tx, campaignId: number, endsAt: Date | null): Promise<void> {
  await tx
    .updateTable('message_run')
    .set({ ends_at: endsAt })
    .where('campaign_id', '=', campaignId)
    .where('state', 'in', LIVE_RUN_STATES)
    .execute()
}

/** The run of a job, with its campaign; null if it has ended or its messages exist. Other writers wait. */
export async function openPreparing(tx: Tx, runId: number) {
  await sql`select pg_advisory_xact_lock(${sql.lit(PREPARE_SPACE)}, (${runId}::bigint % 2147483647)::int)`.execute(tx)
  const { rows } = await sql<{
    campaign_id: number
    campaign_uuid: string
    filters: unknown
    no_holdout: boolean
    starts_at: Date
    ends_at: Date | null
    user_name: string | null
    location_ids: number[]
  }>`
    select c.id as campaign_id, c.uuid as campaign_uuid, c.filters, c.no_holdout, r.starts_at, r.ends_at, n.name as user_name,
           array(select location_id from campaign_location where campaign_id = c.id order by location_id) as location_ids
    from message_run r join campaign c on c.id = r.campaign_id left join login_name n on n.login_id = r.created_by
    where r.id = ${runId} and r.state in ('preparing', 'stopped')`.execute(tx)
  return rows[0] ?? null
}

/** Whether a run's messages exist. Checks the pharmacies of the scope. */
export async function isWritten(tx: Tx, runId: number): Promise<boolean> {
  return (
    (await tx.selectFrom('message_batch').select('id').where('run_id', '=', runId).executeTakeFirst()) !== undefined
  )
}

export interface NewBatch {
  runId: number
  companyId: number
  locationId: number
  channel: 'sms' | 'email'
  /** Default: campaign. */
  context?: 'sequence' | 'trial'
  /** Default: the text's own kind. */
  kind?: 'trial'
  text: CampaignText
  smsSender: string | null
  userName: string | null
  now: Date
}

/** Adds a batch with its text frozen; `closeBatches` adds its counts. @returns its id */
export async function insertBatch(tx: Tx, batch: NewBatch): Promise<number> {
  const { text } = batch
  const { id } = await tx
    .insertInto('message_batch')
    .values({
      location_id: batch.locationId,
      uuid: uuidv7(),
      run_id: batch.runId,
      company_id: batch.companyId,
      channel: batch.channel,
      context: batch.context ?? 'campaign',
      template_id: text.id,
      template_name: text.name,
      message_kind: batch.kind ?? text.message_kind,
      subject: batch.channel === 'email' ? text.subject : null,
      body: text.body,
      sms_sender: batch.channel === 'sms' ? batch.smsSender : null,
      user_name: batch.userName,
      created_at: batch.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A message as it is first written: queued with its text and price, or skipped with its reason. */
export interface NewMessage {
  batchId: number
  patientId: number
  channel: 'sms' | 'email'
  reason: string | null
  contact: string | null
  subject: string | null
  body: string | null
  parts: number
  cents: number
  fake: boolean
  rule: string | null
  entryId: number | null
}

/** Writes messages of one pharmacy: those without a reason are queued for `plannedAt`, the others skipped. */
export async function insertMessages(
  tx: Tx,
  at: { locationId: number; runId: number; plannedAt: Date | null; now: Date },
  messages: readonly NewMessage[],
): Promise<void> {
  if (messages.length === 0) return
  const column = <K extends keyof NewMessage>(key: K) => messages.map((message) => message[key])
  await sql`
    insert into message (location_id, run_id, batch_id, patient_id, channel, state, reason, contact, subject, body, parts, cents, fake,
      planned_at, settled_at, rule, consent_entry_id, created_at)
    select ${at.locationId}, ${at.runId}, m.batch_id, m.patient_id, m.channel, case when m.reason is null then 'queued' else 'skipped' end,
           m.reason, m.contact, m.subject, m.body, m.parts, m.cents, m.fake, case when m.reason is null then ${at.plannedAt}::timestamptz end,
           case when m.reason is not null then ${at.now}::timestamptz end, m.rule, m.entry, ${at.now}
    from unnest(${column('batchId')}::bigint[], ${column('patientId')}::bigint[], ${column('channel')}::text[], ${column('reason')}::text[],
      ${column('contact')}::text[], ${column('subject')}::text[], ${column('body')}::text[], ${column('parts')}::smallint[],
      ${column('cents')}::int[], ${column('fake')}::boolean[], ${column('rule')}::text[], ${column('entryId')}::bigint[])
      as m(batch_id, patient_id, channel, reason, contact, subject, body, parts, cents, fake, rule, entry)`.execute(tx)
}

/** Contents of a batch once its messages are written. */
export interface BatchCounts {
  id: number
  queued: number
  skipped: number
  fake: number
  parts: number
  cents: number
}

/** Sets the counts of one pharmacy's batches and the time of the first message; empty batches are removed. */
export async function closeBatches(
  tx: Tx,
  locationId: number,
  counts: readonly BatchCounts[],
  plannedAt: Date | null,
): Promise<void> {
  await sql`
    update message_batch b set num_patients = n.queued + n.skipped, num_queued = n.queued, num_skipped = n.skipped, fake_patients = n.fake,
      parts = n.parts, cents = n.cents, next_at = case when n.queued > 0 then ${plannedAt}::timestamptz end
    from unnest(${counts.map((one) => one.id)}::bigint[], ${counts.map((one) => one.queued)}::int[], ${counts.map((one) => one.skipped)}::int[],
      ${counts.map((one) => one.fake)}::int[], ${counts.map((one) => one.parts)}::int[], ${counts.map((one) => one.cents)}::bigint[])
      as n(id, queued, skipped, fake, parts, cents)
    where b.location_id = ${locationId} and b.id = n.id`.execute(tx)
  const empty = counts.filter((one) => one.queued + one.skipped === 0).map((one) => one.id)
  if (empty.length > 0)
    await sql`delete from message_batch where location_id = ${locationId} and id = any(${empty}::bigint[])`.execute(tx)
}

/**
 * Finishes writing a run: `preparing` becomes `holding`; a run stopped in the meantime stays stopped.
 * @returns false if the run has ended: none of it may stay
 */
export async function endPreparing(tx: Tx, runId: number): Promise<boolean> {
  await sql`update message_run set state = 'holding' where id = ${runId} and state = 'preparing'`.execute(tx)
  // Locked even if it was stopped: ending or resuming it at this moment then sees the messages.
  const run = await tx.selectFrom('message_run').select('state').where('id', '=', runId).forUpdate().executeTakeFirst()
  return run?.state === 'holding' || run?.state === 'stopped'
}

const FAILURE = 'Attempts to write the messages that failed: '
/** Recorded for a run that failed without being held back. */
export const NOT_WRITTEN = 'The messages could not be written. Nothing was sent.'

/**
 * Records that a run's messages could not be written; after the last of `tries` tries the run fails and its campaign can be activated
 * again.
 * @returns whether it failed for good
 */
export async function noteFailure(tx: Tx, runId: number, tries: number, now: Date): Promise<boolean> {
  const { rows } = await sql<{ note: string }>`
    select note from message_run where id = ${runId} and state in ('preparing', 'stopped') for update`.execute(tx)
  if (!rows[0]) return true
  const attempts = Number(rows[0].note.slice(FAILURE.length) || 0) + 1
  const failed = attempts >= tries
  await sql`update message_run set note = ${failed ? NOT_WRITTEN : `${FAILURE}${attempts}`},
              state = case when ${failed} then 'failed' else state end, ended_at = case when ${failed} then ${now}::timestamptz end
            where id = ${runId}`.execute(tx)
  return failed
}

/** Runs activated more than a minute ago whose messages are unwritten and for which no job of this name is queued. */
export async function unwrittenRuns(
  system: Database,
  job: string,
): Promise<{ run_id: number; company_id: number; country: Country }[]> {
  const { rows } = await sql<{ run_id: number; company_id: number; country: Country }>`
    select r.id as run_id, r.company_id, c.country from message_run r join company c on c.id = r.company_id
    where r.state = 'preparing' and r.created_at < now() - interval '1 minute' and not exists (
      select from pgboss.job j
      where j.name = ${job} and j.state in ('created', 'retry', 'active') and (j.data->>'run_id')::bigint = r.id)`.execute(
    system,
  )
  return rows
}
