import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'

export type Channel = 'sms' | 'email'

/** A batch with due messages, leased while some are claimed. */
export interface LeasedBatch {
  locationId: number
  id: number
  runId: number
  companyId: number
  channel: Channel
  /** The trace of its run's activation. */
  trace: string | null
}

/** As long as a claim takes: the lease spreads senders over batches; row locks keep them apart. */
const LEASE_SECONDS = 10

/** Further ahead than any lease, pause or reservation: written while the database's clock was wrong, before it was set back. */
const WRONG_SECONDS = 900
const isWrong = (time: RawBuilder<unknown>) =>
  sql<boolean>`${time} > clock_timestamp() + make_interval(secs => ${sql.lit(WRONG_SECONDS)})`

/** Whether a gateway refused recently: a pause lasts an hour at most, and a gateway that is tried after it would have refused again. */
export const refusedLately = (refusedAt: RawBuilder<unknown>) =>
  sql<boolean>`${refusedAt} > clock_timestamp() - interval '65 minutes'`

/**
 * Leases a channel's batch that has waited longest; null if nothing is due. Single messages and answers come before campaigns, because
 * somebody is waiting for them.
 */
export async function leaseBatch(
  system: Database,
  channel: Channel,
  worker: string,
  now: Date,
): Promise<LeasedBatch | null> {
  const { rows } = await sql<LeasedBatch>`
    update message_batch b set leased_by = ${worker}, leased_until = clock_timestamp() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})
    from (
      select b.location_id, b.id, r.trace from message_batch b join message_run r on r.id = b.run_id
      where b.next_at <= ${now} and b.stopped_at is null and b.channel = ${channel}
        and (b.leased_until is null or b.leased_until < clock_timestamp() or ${isWrong(sql`b.leased_until`)})
        and r.state in ('holding', 'sending') and r.starts_at <= ${now}
      order by b.context <> 'communication', b.next_at limit 1 for update of b skip locked
    ) due
    where b.location_id = due.location_id and b.id = due.id
    returning b.location_id as "locationId", b.id, b.run_id as "runId", b.company_id as "companyId", b.channel, due.trace`.execute(
    system,
  )
  return rows[0] ?? null
}

/** Whether any batch has due messages that may be sent. */
export async function hasDue(system: Database, now: Date): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (
      select from message_batch b join message_run r on r.id = b.run_id
      where b.next_at <= ${now} and b.stopped_at is null and r.state in ('holding', 'sending') and r.starts_at <= ${now}
    ) as due`.execute(system)
  return rows[0]?.due ?? false
}

/** Returns an unused lease, for a worker that stops. */
export async function returnLease(system: Database, batch: LeasedBatch, worker: string): Promise<void> {
  await sql`update message_batch set leased_by = null, leased_until = null
            where location_id = ${batch.locationId} and id = ${batch.id} and leased_by = ${worker}`.execute(system)
}

/** The furthest ahead that sends are reserved. */
const AHEAD_SECONDS = 1

/** A gateway booked further ahead is paused, not merely sending at its full rate (as long as that is at least one message in four seconds). */
export const PAUSED_SECONDS = 5

/**
 * Reserves the next `count` sends of a gateway among all workers.
 * @returns milliseconds to wait before sending; null, without a reservation, if the gateway is booked for more than a second ahead or is
 * paused
 */
export async function reservePace(
  system: Database,
  gateway: string,
  count: number,
  perSecond: number,
): Promise<number | null> {
  if (!Number.isFinite(perSecond)) return (await paceWait(system, gateway)) > 0 ? null : 0
  const seconds = count / perSecond
  const { rows } = await sql<{ ends: number }>`
    insert into gateway_pace as p (gateway, next_at)
    values (${gateway}, clock_timestamp() + make_interval(secs => ${seconds}::float8))
    on conflict (gateway) do update
      set next_at = case when ${isWrong(sql`p.next_at`)} then clock_timestamp() else greatest(p.next_at, clock_timestamp()) end
        + make_interval(secs => ${seconds}::float8)
      where p.next_at <= clock_timestamp() + make_interval(secs => ${sql.lit(AHEAD_SECONDS)}) or ${isWrong(sql`p.next_at`)}
    returning extract(epoch from p.next_at - clock_timestamp())::float8 as ends`.execute(system)
  const ends = rows[0]?.ends
  return ends === undefined ? null : Math.max(0, (ends - seconds) * 1000)
}

/** Returns unused reservations. */
export async function returnPace(system: Database, gateway: string, count: number, perSecond: number): Promise<void> {
  if (!Number.isFinite(perSecond) || count <= 0) return
  await sql`update gateway_pace set next_at = next_at - make_interval(secs => ${count / perSecond}::float8)
            where gateway = ${gateway}`.execute(system)
}

/** Pauses a gateway that accepts nothing for some seconds, for all workers. @param reason the gateway's own, without personal data */
export async function pauseGateway(system: Database, gateway: string, seconds: number, reason: string): Promise<void> {
  await sql`
    insert into gateway_pace as p (gateway, next_at, reason, refused_since, refused_at)
    values (${gateway}, clock_timestamp() + make_interval(secs => ${seconds}::float8), ${reason}, clock_timestamp(), clock_timestamp())
    on conflict (gateway) do update
      set next_at = case when ${isWrong(sql`p.next_at`)} then excluded.next_at else greatest(p.next_at, excluded.next_at) end,
        reason = excluded.reason, refused_at = excluded.refused_at,
        refused_since = case when ${refusedLately(sql`p.refused_at`)} then p.refused_since else excluded.refused_since end`.execute(
    system,
  )
}

/** Records that a gateway accepts messages again. */
export async function endRefusal(system: Database, gateway: string): Promise<void> {
  await sql`update gateway_pace set reason = null, refused_since = null, refused_at = null
            where gateway = ${gateway} and reason is not null`.execute(system)
}

/** Milliseconds until a gateway without a rate limit may be used again. */
async function paceWait(system: Database, gateway: string): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from next_at - clock_timestamp())::float8 * 1000 as wait from gateway_pace
    where gateway = ${gateway} and not ${isWrong(sql`next_at`)}`.execute(system)
  return Math.max(0, rows[0]?.wait ?? 0)
}

/**
 * One check of the runs: those whose hold is over become `sending`; those with nothing queued, in progress or unknown become
 * `done`. A message past its last look-up has no `lease_until` and does not keep a run open.
 */
export async function advanceRuns(system: Database, now: Date): Promise<void> {
  await sql`update message_run set state = 'sending' where state = 'holding' and starts_at <= ${now}`.execute(system)
  // Batches alone decide for most runs; only the others require a look at each message.
  const { rows } = await sql<{ id: number }>`
    select r.id from message_run r where r.state = 'sending'
      and not exists (select from message_batch b where b.run_id = r.id and b.next_at is not null)`.execute(system)
  if (rows.length === 0) return
  await sql`
    update message_run r set state = 'done', ended_at = ${now}
    where r.id = any(${rows.map((row) => row.id)}::bigint[]) and r.state = 'sending'
      and not exists (
        select from message_batch b join message m on m.location_id = b.location_id and m.batch_id = b.id
        where b.run_id = r.id and m.state = 'queued')
      and not exists (
        select from message m where m.run_id = r.id and m.state in ('sending', 'unknown') and m.lease_until is not null)`.execute(
    system,
  )
}

/**
 * Finds batches of live runs with queued messages that no sender would check, and schedules them: with no time set, or, while messages are due,
 * a time that a clock set back since has left. @returns how many
 */
export async function wakeOverlooked(system: Database, now: Date): Promise<number> {
  const done = await sql`
    update message_batch b set next_at = ${now}
    from message_run r
    where r.id = b.run_id and r.state in ('holding', 'sending') and (b.next_at is null or ${isWrong(sql`b.next_at`)})
      and exists (select from message m where m.location_id = b.location_id and m.batch_id = b.id and m.state = 'queued'
        and (b.next_at is null or m.planned_at <= ${now}))`.execute(system)
  return Number(done.numAffectedRows ?? 0)
}
