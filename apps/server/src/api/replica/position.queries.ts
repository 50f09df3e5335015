import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'

/** The row of `company_change` for changes that concern every company. */
export const EVERYONE = 0

/**
 * A position past everything anyone can see now. A commit is flushed before it can be seen, unless the server does not wait for the disk.
 * The insert position alone may include another transaction's work that takes long to reach a replica.
 */
const NOW = sql`case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end`

/** The server's start time, as `primary_start` stores it. No two servers share it, not even a server and its copy. */
const STARTED = sql`(extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint`

/** The primary's position, such as '0/16B3748', and which server it is, by its start time. */
export interface Primary {
  position: string
  started: string
}

/**
 * Reads the primary's position. Writes its start time into `primary_start` if missing: after a restart, a failover or a restore, a standby
 * without that row follows another server, however far ahead it is.
 */
export async function lookAtPrimary(system: Database): Promise<Primary> {
  const { rows } = await sql<Primary & { marked: boolean }>`
    select ${NOW}::text as position, ${STARTED}::text as started,
      exists (select from primary_start where started_us = ${STARTED}) as marked`.execute(system)
  const { marked, ...primary } = rows[0]!
  if (marked) return primary
  await sql`
    with older as (delete from primary_start where started_us <> ${STARTED})
    insert into primary_start (started_us) values (${STARTED}) on conflict do nothing`.execute(system)
  return lookAtPrimary(system)
}

/**
 * The position a replica must have reached to answer for the company's figures, at least `least`. Never beyond the primary itself: a
 * database restored elsewhere counts anew.
 */
export async function positionToReadAt(system: Database, companyId: number, least: string): Promise<Primary> {
  const { rows } = await sql<Primary>`
    select (case when bool_or(position is null) then ${NOW}
      else least(greatest(max(position), ${least}::pg_lsn), ${NOW}) end)::text as position, ${STARTED}::text as started
    from company_change where company_id in (${EVERYONE}, ${companyId})`.execute(system)
  return rows[0]!
}

/** Records, after the commit, that something changed for the company (or EVERYONE): replicas before this position are too old for it. */
export async function raisePosition(system: Database, companyId: number): Promise<void> {
  await sql`
    insert into company_change as c (company_id, position) values (${companyId}, ${NOW})
    on conflict (company_id) do update set position = excluded.position where c.position < excluded.position`.execute(
    system,
  )
}

/**
 * The last statement of a load: from the commit that shows its figures, replicas are too old for the company. The position is known only
 * afterwards; see `settlePosition`.
 */
export async function openPosition(tx: Tx, companyId: number, upload: string): Promise<void> {
  await sql`
    insert into company_change (company_id, position, upload) values (${companyId}, null, ${upload})
    on conflict (company_id) do update set position = null, upload = excluded.upload`.execute(tx)
}

/** Records a load's position after its commit. Does nothing if another load has reached its end meanwhile, which records its own. */
export async function settlePosition(system: Database, companyId: number, upload: string): Promise<void> {
  await sql`update company_change set position = ${NOW}, upload = null
    where company_id = ${companyId} and upload = ${upload}`.execute(system)
}

export interface Standing {
  standby: boolean
  /** The primary's position that this server shows; null if it is not a standby. */
  position: string | null
  /** Seconds since the newest commit it shows; null if it shows none. */
  seconds: number | null
  /** Of the cluster and the database: a standby shares its primary's. */
  identity: string
  /** Whether it has shown that it follows the primary we read. */
  follows: boolean
}

const shows = (started: string) => sql`exists (select from primary_start where started_us = ${started}::bigint)`

/** How far a replica is, and which primary it follows. */
export async function standingOf(db: Database, started: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select ${shows(started)} as follows, pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as position,
      extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as seconds, ${IDENTITY} as identity`.execute(
    db,
  )
  return rows[0]!
}

const IDENTITY = sql`(select system_identifier::text from pg_control_system()) || '/' || current_database()`

/** The primary's identity, in the same form. */
export async function identityOf(db: Database): Promise<string> {
  const { rows } = await sql<{ identity: string }>`select ${IDENTITY} as identity`.execute(db)
  return rows[0]!.identity
}

/**
 * Whether this transaction's server is a standby that shows everything of this primary up to its position. The next statement sees at least
 * that.
 */
export async function hasReached(tx: Tx, { position, started }: Primary): Promise<boolean> {
  const { rows } = await sql<{ reached: boolean | null }>`
    select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${position}::pg_lsn and ${shows(started)} as reached`.execute(
    tx,
  )
  return rows[0]?.reached === true
}
