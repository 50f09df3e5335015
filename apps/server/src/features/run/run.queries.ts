import type { Progress } from '@pillar/contract/campaign/campaign-stats'
import type { RunState } from '@pillar/domain/message/run-state'
import type { Country } from '@pillar/domain/time/locale'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { lotsOf } from '../../db/list.ts'
import { CANCELLED, standing } from '../sending/rule/cancelled.queries.ts'
import { NOT_WRITTEN } from './run-write.queries.ts'

/** The sums of message_batch as one JSON object, over the batches `b` of the surrounding query. */
export const PROGRESS: RawBuilder<Progress> = sql`json_build_object(
  'messages', coalesce(sum(b.num_patients), 0), 'queued', coalesce(sum(b.num_queued), 0), 'sending', coalesce(sum(b.num_sending), 0),
  'sent', coalesce(sum(b.num_sent), 0), 'delivered', coalesce(sum(b.num_delivered), 0), 'failed', coalesce(sum(b.num_failed), 0),
  'skipped', coalesce(sum(b.num_skipped), 0), 'unknown', coalesce(sum(b.num_unknown), 0))`

/** A run of a campaign. */
export interface RunRow {
  id: number
  uuid: string
  state: RunState
  note: string
  starts_at: Date
  ends_at: Date | null
  /** Why it was held back: its content is not what was approved, or Pillar was restored from a backup of before it was written. */
  held_reason: string | null
}

type AskedRun = Pick<RunRow, 'id' | 'state'>

/** No more of it is sent, and its unsent messages were cancelled. */
const hasEnded = ({ state }: AskedRun): boolean => state === 'done' || state === 'failed'

/** Why a run of `message_run` was held back, over its approval or after a restore; null if it was not. */
export const HELD_REASON = sql<
  string | null
>`case when state = 'failed' and note not in ('', ${NOT_WRITTEN}) then note end`

/** The newest run of a campaign; null before the first. */
export async function newestRun(tx: Tx, campaignId: number): Promise<RunRow | null> {
  const run = await tx
    .selectFrom('message_run')
    .select(['id', 'uuid', 'state', 'note', 'starts_at', 'ends_at'])
    .select(HELD_REASON.as('held_reason'))
    .where('campaign_id', '=', campaignId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (run as RunRow | undefined) ?? null
}

export interface PharmacyProgress {
  id: number
  uuid: string
  name: string
  country: Country
  region: string | null
  postcode: string | null
  time_zone: string
  /** Whether all its batches are stopped and can be resumed. */
  stopped: boolean
  /** Whether messages have changed since they were counted. */
  counting: boolean
  progress: Progress
  queued_sms: number
  queued_email: number
  cents: number
}

/** Progress of a run at each of its pharmacies, by name. */
export async function progressByPharmacy(tx: Tx, runId: number): Promise<PharmacyProgress[]> {
  const { rows } = await sql<PharmacyProgress>`
    select l.id, l.uuid, l.name, l.country, l.region, l.postcode, l.time_zone, bool_and(b.stopped_at is not null and not ${CANCELLED}) as stopped,
           exists (select from recount_queue q where q.location_id = l.id) as counting, ${PROGRESS} as progress,
           coalesce(sum(b.num_queued) filter (where b.channel = 'sms'), 0)::int as queued_sms,
           coalesce(sum(b.num_queued) filter (where b.channel = 'email'), 0)::int as queued_email, sum(b.cents) as cents
    from message_batch b join message_run r on r.id = b.run_id join location l on l.id = b.location_id
    where b.run_id = ${runId} group by l.id, l.uuid, l.name, l.country, l.region, l.postcode, l.time_zone order by l.name`.execute(
    tx,
  )
  return rows
}

/**
 * Why messages of a run were skipped or failed, most frequent first. Reads the ledger itself, so that it is exact before a recount, but only
 * its indexes: a large company's run has hundreds of thousands of messages, and its page asks every few seconds.
 */
export async function reasonsOf(tx: Tx, run: AskedRun) {
  const inScope = (alias: string) =>
    sql`${sql.ref(`${alias}.location_id`)} = any ((select scope_location_ids())::bigint[])`
  const stopped = sql`
    union all select 'skipped', m.channel, 'stopped' from message_batch b
    join message m on m.location_id = b.location_id and m.batch_id = b.id and m.state = 'queued'
    where ${inScope('b')} and b.run_id = ${run.id}`
  const { rows } = await sql<{
    state: 'skipped' | 'failed'
    channel: 'sms' | 'email'
    reason: string
    count: number
  }>`
    select state, channel, coalesce(reason, '') as reason, count(*)::int as count from (
      select m.state, m.channel, m.reason from message m
      where ${inScope('m')} and m.run_id = ${run.id} and m.state in ('skipped', 'failed')
      ${hasEnded(run) ? stopped : sql``}) m
    group by 1, 2, 3 order by 4 desc, 3`.execute(tx)
  return rows
}

export interface SentRow {
  patient: string | null
  channel: 'sms' | 'email'
  state: 'queued' | 'sending' | 'sent' | 'delivered' | 'failed' | 'skipped' | 'unknown'
  reason: string | null
  template: string
  parts: number
  /** 0 until a gateway has accepted it, as in the cost of its campaign. */
  cents: number
  planned_at: string | null
  sent_at: string | null
  settled_at: string | null
}

/**
 * Every message of a run at one of its pharmacies, by the pharmacy's own patient number and clock, such as '2026-11-20 14:05', in lots. Needs
 * `readLong`.
 */
export function messagesOfRun(
  tx: Tx,
  run: AskedRun,
  { locationId, timeZone }: { locationId: number; timeZone: string },
): AsyncGenerator<SentRow[]> {
  const local = (column: string) =>
    sql`to_char(${sql.ref(`m.${column}`)} at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI') as ${sql.ref(column)}`
  const { state, reason } = standing(hasEnded(run))
  return lotsOf(
    tx,
    sql<SentRow>`
    select p.source_id as patient, m.channel, ${state} as state, ${reason} as reason, b.template_name as template, m.parts,
           case when m.sent_at is not null then m.cents else 0 end as cents,
           ${local('planned_at')}, ${local('sent_at')}, ${local('settled_at')}
    from message m
    join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
    left join patient p on p.location_id = m.location_id and p.id = m.patient_id
    where m.location_id = ${locationId} and m.run_id = ${run.id}
    order by p.source_id, m.channel`,
  )
}
