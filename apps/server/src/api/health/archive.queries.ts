import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** How well PostgreSQL is archiving its log; without it, a restore reaches no further than the backup itself. All zeros if archiving is off. */
export interface Archive {
  /** Seconds since the last success, if there has been something to archive since; if there was none yet, since the server began to count. */
  failing: number
  /** Finished log files not yet archived. Before the first success nobody knows how many there are: 0. */
  waiting: number
}

/** The number of a log file, from the last 16 of the 24 hexadecimal digits of its name, counted in files of `wal_segment_size`. */
const numberOf = (name: ReturnType<typeof sql>) =>
  sql`(('x' || substr(${name}, 9, 8))::bit(32)::bigint * (4294967296 / pg_size_bytes(current_setting('wal_segment_size')))
    + ('x' || substr(${name}, 17, 8))::bit(32)::bigint)`

/**
 * Whether the server has finished a log file since it began to count. With `archive_timeout` any write leads to one; without it, a file is
 * finished once it is full.
 */
const finishedOne = sql`(select wal_bytes > (case when current_setting('archive_timeout') = '0'
    then pg_size_bytes(current_setting('wal_segment_size')) else 0 end) from pg_stat_wal)`

/**
 * Reads the state from the server's own statistics, which every login may see. A command that hangs has neither succeeded nor failed, so
 * what counts is how long ago the last success was.
 */
export async function archiveOf(db: Database): Promise<Archive> {
  const { rows } = await sql<Archive>`
    select case when waiting > 0 or last_failed_time > coalesce(last_archived_time, '-infinity')
          or last_archived_time is null and ${finishedOne}
        then extract(epoch from clock_timestamp() - coalesce(last_archived_time, greatest(stats_reset, pg_postmaster_start_time())))::float8
        else 0 end as failing, waiting
    from pg_stat_archiver cross join lateral (
      select case when last_archived_wal ~ '^[0-9A-F]{24}' then greatest(0,
        ${numberOf(sql`pg_walfile_name(pg_current_wal_lsn())`)} - ${numberOf(sql`last_archived_wal`)} - 1)::int else 0 end as waiting) w
    where current_setting('archive_mode') <> 'off' and not pg_is_in_recovery()`.execute(db)
  return rows[0] ?? { failing: 0, waiting: 0 }
}
