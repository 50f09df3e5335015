import { Refusal } from '@pillar/contract'
import { type BatchCounts, batchStatus } from '@pillar/domain/message/batch-status'
import { isUuid } from '@pillar/domain/text/uuid'
import type { Country } from '@pillar/domain/time/locale'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { likePattern } from '../../db/like.ts'
import { pageOf } from '../../db/list.ts'
import { refusedLately } from '../sending/lease.queries.ts'
import { CANCELLED, standing } from '../sending/rule/cancelled.queries.ts'
import { cancelUnsent } from './cancel/skip.queries.ts'
import { lockRun, stopRun } from './run-state.queries.ts'

/** Filters for batches. Days are ISO dates by the pharmacy's clock, or instants. */
export interface BatchFilter {
  page: number
  search_term: string
  start_date?: string | null | undefined
  end_date?: string | null | undefined
  location_id?: string | null | undefined
  campaign_id?: string | null | undefined
  sequence_id?: string | null | undefined
  follow_up_id?: string | null | undefined
  trial_id?: string | null | undefined
}

interface BatchRow {
  batch_id: string
  created_at: Date
  company_id: string
  company_name: string
  country: Country
  location_id: string
  location_name: string
  time_zone: string
  communication_type: 'sms' | 'email'
  campaign_id: string | null
  campaign_name: string | null
  trial_id: string | null
  trial_name: string | null
  sequence_id: string | null
  sequence_title: string | null
  follow_up_id: string | null
  follow_up_order: number | null
  num_patients: number
  num_queued: number
  num_sending: number
  num_sent: number
  num_delivered: number
  num_failed: number
  num_skipped: number
  num_unknown: number
  fake_patients: number
  parts: number
  cost: number
  user_name: string | null
  message_context: string
  template_name: string
  stopped: boolean
}

const FROM = sql`message_batch b
  left join location l on l.id = b.location_id
  left join company o on o.id = b.company_id
  left join message_run r on r.id = b.run_id
  left join campaign c on c.id = r.campaign_id
  left join trial t on t.id = r.trial_id
  left join sequence s on s.location_id = b.location_id and s.id = r.sequence_id
  left join follow_up f on f.location_id = b.location_id and f.id = r.follow_up_id`

const SELECT = sql`b.uuid as batch_id, b.created_at, o.uuid as company_id, o.name as company_name, o.country, l.uuid as location_id, l.name as location_name, l.time_zone,
  b.channel as communication_type, c.uuid as campaign_id, c.name as campaign_name, t.uuid as trial_id, t.name as trial_name, s.uuid as sequence_id, s.title as sequence_title,
  f.uuid as follow_up_id, f.follow_up_order, b.num_patients, b.num_queued, b.num_sending, b.num_sent, b.num_delivered, b.num_failed,
  b.num_skipped, b.num_unknown, b.fake_patients, b.parts, (b.cents / 100.0)::float8 as cost, b.user_name, case when r.test then 'test' else b.context end as message_context,
  b.template_name, b.stopped_at is not null or r.state = 'stopped' as stopped`

/** One page of the batches of all companies, newest first: counts and cost, no text. Runs as the console's role. */
export async function listBatches(tx: Tx, filter: BatchFilter) {
  const { rows, ...page } = await pageOf<BatchRow, 'message_date'>(
    tx,
    {
      select: SELECT,
      from: FROM,
      where: conditions(filter),
      sort: { message_date: sql`b.created_at` },
      key: sql`b.id`,
      chosenByKey: true,
      chosenFrom: chosenFrom(filter),
    },
    { page: filter.page, search_term: '', sort_field: 'message_date', sort_order: 'desc' },
  )
  return { ...page, message_batches: rows.map(shown) }
}

/** Gateways that accept nothing, each with the reason it gave at its last, recent try. */
export async function refusingGateways(tx: Tx) {
  const { rows } = await sql<{
    communication_type: 'sms' | 'email'
    reason: string
    refused_since: Date
    refused_at: Date
  }>`
    select right(gateway, strpos(reverse(gateway), ' ') - 1) as communication_type, reason, refused_since, refused_at
    from gateway_pace where reason is not null and ${refusedLately(sql`refused_at`)} order by gateway`.execute(tx)
  return rows
}

function shown({ stopped, created_at, ...row }: BatchRow) {
  const { num_queued: queued, num_sending: sending, num_sent: sent, num_delivered: delivered } = row
  const counts: BatchCounts = {
    ...{ queued, sending, sent, delivered },
    ...{ failed: row.num_failed, skipped: row.num_skipped, unknown: row.num_unknown },
  }
  const none = { subject: null, body: null }
  return { ...row, ...none, message_date: created_at.toISOString(), status: batchStatus(counts, stopped) }
}

/** The tables that the conditions use: without conditions, pages are chosen and counted in an index of the batches alone. */
function chosenFrom({ start_date, end_date, campaign_id, sequence_id, follow_up_id, trial_id }: BatchFilter) {
  const run = campaign_id || sequence_id || follow_up_id || trial_id
  const place = start_date || end_date
  return sql`message_batch b ${run ? sql`join message_run r on r.id = b.run_id` : sql``}
    ${place ? sql`join location l on l.id = b.location_id` : sql``}`
}

function conditions(filter: BatchFilter): (RawBuilder<unknown> | null)[] {
  const { location_id, campaign_id, sequence_id, follow_up_id, trial_id } = filter
  return [
    after(filter.start_date),
    before(filter.end_date),
    location_id ? sql`b.location_id = (select id from location where uuid = ${location_id})` : null,
    campaign_id ? sql`r.campaign_id = (select id from campaign where uuid = ${campaign_id})` : null,
    sequence_id ? sql`r.sequence_id = (select id from sequence where uuid = ${sequence_id})` : null,
    follow_up_id ? sql`r.follow_up_id = (select id from follow_up where uuid = ${follow_up_id})` : null,
    trial_id ? sql`r.trial_id = (select id from trial where uuid = ${trial_id})` : null,
    searched(filter.search_term),
  ]
}

/** A day begins at the pharmacy's midnight; the first comparison lets the index narrow the rows. */
const after = (at: string | null | undefined) =>
  !at
    ? null
    : at.length > 10
      ? sql`b.created_at >= ${at}::timestamptz`
      : sql`(b.created_at >= ${at}::date::timestamptz - interval '1 day' and b.created_at >= ${at}::date::timestamp at time zone l.time_zone)`

const before = (at: string | null | undefined) =>
  !at
    ? null
    : at.length > 10
      ? sql`b.created_at <= ${at}::timestamptz`
      : sql`(b.created_at < ${at}::date::timestamptz + interval '2 days' and b.created_at < (${at}::date + 1)::timestamp at time zone l.time_zone)`

/**
 * Names are compared once each, in their own tables, and a batch with what was found: hundreds of thousands of batches have a few hundred
 * names between them.
 */
function searched(term: string): RawBuilder<unknown> | null {
  if (isUuid(term)) return sql`b.uuid = ${term.trim()}`
  const pattern = likePattern(term)
  if (pattern === null) return null
  // Without "offset 0", PostgreSQL compares the name of each batch first, and drops repeated names afterwards.
  return sql`(b.location_id in (select id from location where name ilike ${pattern})
    or b.company_id in (select id from company where name ilike ${pattern})
    or b.run_id in (select id from message_run where campaign_id in (select id from campaign where name ilike ${pattern})
      or trial_id in (select id from trial where name ilike ${pattern})
      or sequence_id in (select id from sequence where title ilike ${pattern}))
    or b.template_name in (select name from (select distinct template_name as name from message_batch offset 0) n
      where name ilike ${pattern}))`
}

/** A batch with its text and the sender of its unsent messages, in the scope of its pharmacy. @throws Refusal not_found */
export async function findBatch(tx: Tx, uuid: string) {
  const batch = await tx
    .selectFrom('message_batch as b')
    .innerJoin('message_run as r', 'r.id', 'b.run_id')
    .innerJoin('location as l', 'l.id', 'b.location_id')
    .leftJoin('messaging_setting as s', 's.company_id', 'l.company_id')
    .where('b.uuid', '=', uuid)
    .select(['b.id', 'b.location_id', 'b.run_id', 'b.channel', 'b.template_name', 'b.subject', 'b.body', 'b.user_name'])
    .select(['r.campaign_id', 'r.state as run_state', CANCELLED.as('cancelled')])
    .select((eb) => eb.fn.coalesce('b.sms_sender', 'l.sms_sender', 's.sms_sender').as('sms_sender'))
    .executeTakeFirst()
  if (!batch) throw new Refusal('not_found', 'That message batch was not found.')
  return batch
}
export type FoundBatch = Awaited<ReturnType<typeof findBatch>>

/** The outcome of a batch, counted from its messages. Cents are those of accepted messages. */
export async function batchTotals(tx: Tx, { location_id, id, cancelled }: FoundBatch) {
  const { rows } = await sql<{ messages: number; texts: number; queued: number; cents: number }>`
    select count(*)::int as messages, count(*) filter (where body is not null)::int as texts,
      count(*) filter (where state = 'queued' and not ${sql.lit(cancelled)})::int as queued,
      coalesce(sum(cents) filter (where sent_at is not null), 0)::int as cents
    from message where location_id = ${location_id} and batch_id = ${id}`.execute(tx)
  return rows[0]!
}

/** Why messages of a batch were held back or failed, most frequent first. */
export async function batchReasons(tx: Tx, { location_id, id, cancelled }: FoundBatch, state: 'skipped' | 'failed') {
  const now = standing(cancelled)
  const { rows } = await sql<{ reason: string; count: number }>`
    select coalesce(${now.reason}, '') as reason, count(*)::int as count from message m
    where location_id = ${location_id} and batch_id = ${id} and ${now.state} = ${state}
    group by 1 order by 2 desc, 1`.execute(tx)
  return rows
}

export interface MessageRow {
  state: 'queued' | 'sending' | 'sent' | 'delivered' | 'failed' | 'skipped' | 'unknown'
  reason: string | null
  fake: boolean
  subject: string | null
  body: string | null
  parts: number
  cents: number
  sent_at: Date | null
}

/** One page of a batch's messages that have a text, in the order they were written; without names and numbers. */
export async function batchMessages(
  tx: Tx,
  { location_id, id, cancelled }: FoundBatch,
  { limit, offset }: { limit: number; offset: number },
): Promise<MessageRow[]> {
  const now = standing(cancelled)
  const { rows } = await sql<MessageRow>`
    select ${now.state} as state, ${now.reason} as reason, fake, subject, body, parts, case when sent_at is not null then cents else 0 end as cents, sent_at
    from message m where location_id = ${location_id} and batch_id = ${id} and body is not null
    order by id limit ${limit} offset ${offset}`.execute(tx)
  return rows
}

/**
 * Stops what a batch has not sent. A campaign stops at the batch's pharmacy and can be resumed; any other messages are cancelled. @returns
 * how many messages are affected
 */
export async function stopBatch(tx: Tx, batch: FoundBatch, now: Date): Promise<{ left: number; resumable: boolean }> {
  if (batch.campaign_id !== null) {
    const stopped = await stopRun(tx, batch.campaign_id, [batch.location_id], now)
    return { left: stopped?.left ?? 0, resumable: true }
  }
  await lockRun(tx, batch.run_id)
  // A message that is at a gateway now and comes back finds this and is cancelled too.
  const left = await cancelUnsent(tx, { locationId: batch.location_id, batchId: batch.id }, now)
  return { left, resumable: false }
}
