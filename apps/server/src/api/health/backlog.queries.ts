import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { columns } from '../../db/field/rotation.ts'
import { PAUSED_SECONDS } from '../../features/sending/lease.queries.ts'
import { connectionsNamed } from '../../features/sending/restore/set-aside.queries.ts'
import { countFaultsLately } from '../../gateways/error-report.queries.ts'
import { WORKER } from '../queue.ts'
import { type Archive, archiveOf } from './archive.queries.ts'
import { collationChange } from './collation.queries.ts'

/** Waiting and failed work over all companies: counts, and ages in seconds (0 when nothing waits), with no people and no texts. */
export interface Backlog {
  /** `overdue`: age of the oldest send turn no sender has taken. `unanswered`: unknown messages we no longer ask about. */
  messages: { queued: number; overdue: number; sending: number; unknown: number; oldest: number; unanswered: number }
  /** Messages of unfinished runs, by state. */
  runs: readonly { state: string; messages: number }[]
  /** Gateway events not yet processed; and those that could not be used, in the last day and in the last hour. */
  events: { open: number; oldest: number; unusable: number; unusableLately: number }
  /** Age of the oldest due follow-up of a sequence that is still undecided. */
  followUps: { overdue: number }
  /** `oldest`: age of the oldest waiting one. `failed`: in the last day; `failedLately`: in the last hour. */
  uploads: { waiting: number; oldest: number; processing: number; failed: number; failedLately: number }
  /** Seconds for which senders leave a gateway alone, if longer than its rate requires. */
  gateways: readonly { gateway: string; pause: number }[]
  /**
   * `oldest`: of those waiting or running. `overdue`: time since the oldest untaken job was due. `failed`: given up in the last day, or
   * retried since. `done`: time since one was last done; if none was within a week, since the queue was created.
   */
  jobs: readonly {
    job: string
    waiting: number
    active: number
    oldest: number
    overdue: number
    failed: number
    done: number
  }[]
  /** Whether a worker is connected to the queue. Workers themselves enqueue the nights' work, so without one nothing is overdue. */
  worker: boolean
  /** Sealed columns: older keys a rotation has not retired, and pharmacies with values it has not resealed. */
  fields: readonly { column: string; oldKeys: number; pharmacies: number }[]
  /** Errors stored in the last hour by all processes; none if they go to an outside service instead. */
  errors: Awaited<ReturnType<typeof countFaultsLately>>
  archive: Archive
  /** Whether text in indexes may be in another order than the server's. */
  collationChanged: boolean
  /** Faults in the audit, and pharmacies whose register was altered, each by its last check. */
  chains: { audit: number; register: number }
}

const ages = (since: ReturnType<typeof sql>, now: Date) =>
  sql`coalesce(greatest(0, extract(epoch from ${now}::timestamptz - ${since})), 0)::float8`

/** Reads the backlog at `now`, in one transaction with at most three seconds per statement. @throws the database's errors */
export function readBacklog(system: Database, now: Date): Promise<Backlog> {
  return system.transaction().execute(async (tx) => {
    await sql`set transaction read only`.execute(tx)
    await sql`set local statement_timeout = '3s'`.execute(tx)
    return {
      messages: { ...(await queued(tx, now)), ...(await inDoubt(tx, now)) },
      runs: await runsOf(tx),
      events: await eventsOf(tx, now),
      followUps: await followUps(tx, now),
      uploads: await uploadsOf(tx, now),
      gateways: await gatewaysOf(tx),
      jobs: await jobsOf(tx),
      worker: await hasWorker(tx),
      fields: await fieldsOf(tx),
      errors: await countFaultsLately(tx, now),
      archive: await archiveOf(tx),
      collationChanged: (await collationChange(tx)) !== null,
      chains: await chainsOf(tx),
    }
  })
}

/**
 * Messages that may still be sent, counted as the screens count them: a few seconds behind. A batch that a gateway does not take is always
 * about to be tried again, so a batch whose turn comes within minutes is as overdue as its oldest message.
 */
async function queued(tx: Tx, now: Date) {
  const { rows } = await sql<{ queued: number; overdue: number }>`
    select coalesce(sum(b.num_queued), 0)::int as queued,
      ${ages(sql`min(least(b.next_at, m.oldest)) filter (where r.state in ('holding', 'sending') and r.starts_at <= ${now})`, now)} as overdue
    from message_batch b join message_run r on r.id = b.run_id
    left join lateral (
      select min(planned_at) as oldest from message
      where b.next_at <= ${now}::timestamptz + interval '2 minutes'
        and location_id = b.location_id and batch_id = b.id and state = 'queued') m on true
    where b.next_at is not null and b.stopped_at is null`.execute(tx)
  return rows[0]!
}

/** Messages handed over, or possibly handed over, whose outcome is open. */
async function inDoubt(tx: Tx, now: Date) {
  const { rows } = await sql<{ sending: number; unknown: number; oldest: number; unanswered: number }>`
    select count(*) filter (where state = 'sending')::int as sending,
      count(*) filter (where state = 'unknown' and lease_until is not null)::int as unknown,
      ${ages(sql`min(planned_at) filter (where state = 'unknown' and lease_until is not null)`, now)} as oldest,
      count(*) filter (where state = 'unknown' and lease_until is null)::int as unanswered
    from message where state in ('sending', 'unknown')`.execute(tx)
  return rows[0]!
}

/** Counted as the screens count them: a few seconds behind. */
async function runsOf(tx: Tx) {
  const { rows } = await sql<Backlog['runs'][number]>`
    select v.state, sum(v.messages)::int as messages
    from message_run r join message_batch b on b.run_id = r.id
    cross join lateral (values ('queued', b.num_queued), ('sending', b.num_sending), ('sent', b.num_sent),
      ('delivered', b.num_delivered), ('failed', b.num_failed), ('skipped', b.num_skipped), ('unknown', b.num_unknown))
      as v(state, messages)
    where r.ended_at is null group by v.state order by v.state`.execute(tx)
  return rows
}

async function eventsOf(tx: Tx, now: Date) {
  const { rows } = await sql<Backlog['events']>`
    with failed as (
      select received_at from gateway_event where failure is not null and received_at > ${now}::timestamptz - interval '1 day')
    select count(*)::int as open, ${ages(sql`min(received_at)`, now)} as oldest,
      (select count(*)::int from failed) as unusable,
      (select count(*)::int from failed where received_at > ${now}::timestamptz - interval '1 hour') as "unusableLately"
    from gateway_event where done_at is null`.execute(tx)
  return rows[0]!
}

/** Leaves out removed pharmacies: nobody waits for their follow-ups. */
async function followUps(tx: Tx, now: Date) {
  const { rows } = await sql<{ overdue: number }>`
    select ${ages(sql`min(e.next_at)`, now)} as overdue
    from enrolment e join location l on l.id = e.location_id
    where e.next_at <= ${now} and l.removed_at is null`.execute(tx)
  return rows[0]!
}

async function uploadsOf(tx: Tx, now: Date) {
  const { rows } = await sql<Backlog['uploads']>`
    select count(*) filter (where etl_state <> 'PROCESSING')::int as waiting,
      ${ages(sql`min(coalesce(location_upload_time, created_at)) filter (where etl_state <> 'PROCESSING')`, now)} as oldest,
      count(*) filter (where etl_state = 'PROCESSING')::int as processing,
      (select count(*)::int from upload
       where etl_state = 'ERROR' and etl_stop_time > ${now}::timestamptz - interval '1 day') as failed,
      (select count(*)::int from upload
       where etl_state = 'ERROR' and etl_stop_time > ${now}::timestamptz - interval '1 hour') as "failedLately"
    from upload where etl_state in ('RECEIVED', 'OVERRIDE', 'PROCESSING')`.execute(tx)
  return rows[0]!
}

async function gatewaysOf(tx: Tx) {
  const { rows } = await sql<Backlog['gateways'][number]>`
    select gateway, case when ahead > ${sql.lit(PAUSED_SECONDS)} then ahead else 0 end as pause
    from (select gateway, extract(epoch from next_at - clock_timestamp())::float8 as ahead from gateway_pace) p
    order by gateway`.execute(tx)
  return rows
}

async function fieldsOf(tx: Tx) {
  const all = await columns(tx)
  return all.map(({ column, keys, place, pharmacies, of }) => ({
    column,
    oldKeys: keys - 1,
    pharmacies: place && keys > 1 ? of - pharmacies : 0,
  }))
}

/**
 * Every kind of job, including idle ones. A job that was given up counts as such while it is tried again. The queue keeps finished jobs for
 * a week, by the database's own clock.
 */
async function jobsOf(tx: Tx) {
  const { rows } = await sql<Backlog['jobs'][number]>`
    select q.name as job,
      count(*) filter (where j.state in ('created', 'retry'))::int as waiting,
      count(*) filter (where j.state = 'active')::int as active,
      coalesce(extract(epoch from now() - min(j.created_on) filter (where j.state in ('created', 'retry', 'active'))), 0)::float8
        as oldest,
      coalesce(greatest(0, extract(epoch from now() - min(greatest(j.created_on, j.start_after))
        filter (where j.state in ('created', 'retry')))), 0)::float8 as overdue,
      count(*) filter (where j.state = 'failed' and j.completed_on > now() - interval '1 day'
        or j.state in ('retry', 'active') and j.retry_limit > q.retry_limit)::int as failed,
      extract(epoch from now() - coalesce(max(j.completed_on) filter (where j.state = 'completed'), q.created_on))::float8 as done
    from pgboss.queue q left join pgboss.job j on j.name = q.name
    where q.name not like '\\_\\_%' group by q.name, q.created_on order by q.name`.execute(tx)
  return rows
}

/** If DATABASE_URL names the connections itself, workers cannot be told apart, and one is assumed. */
async function hasWorker(tx: Tx) {
  const { open, named } = await connectionsNamed(tx, [WORKER])
  return open > 0 || !named
}

async function chainsOf(tx: Tx) {
  const { rows } = await sql<Backlog['chains']>`
    select coalesce((select jsonb_array_length(faults) from audit_check where ended_at is not null and failure is null
        order by ended_at desc, id desc limit 1), 0)::int as audit,
      (select count(*)::int from s8_pharmacy where fault_since is not null) as register`.execute(tx)
  return rows[0]!
}
