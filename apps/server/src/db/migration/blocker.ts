import { PG_MIGRATE_LOCK_ID } from 'node-pg-migrate'
import type pg from 'pg'

const GONE = 'a process that is gone meanwhile'

/** How often it is asked who stands in the way: a few times within the 2 s a statement waits. */
const EVERY_MS = 300

/** A login without the right to see others' sessions sees no time. */
const WHO = `
  select pid, usename, application_name, extract(epoch from now() - xact_start)::int as seconds
  from pg_stat_activity where pid = any(pg_blocking_pids($1)) order by xact_start nulls last limit 3`

/** Finds the holder of the migration lock. PostgreSQL shows the lock's number split in two. */
const MIGRATOR_NOW = `
  select a.pid, usename, application_name, extract(epoch from now() - xact_start)::int as seconds
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where locktype = 'advisory' and granted and objsubid = 1 and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32) | objid::bigint = ${PG_MIGRATE_LOCK_ID}`

interface Holder {
  pid: number
  usename: string
  application_name: string
  seconds: number | null
}

/** Watches, on a separate connection, which session blocks `client`: PostgreSQL no longer knows once the statement has given up. */
export async function holderWatch(watcher: pg.Client, client: pg.Client) {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const pid: number = rows[0].pid
  let last = GONE
  let looking: Promise<void> | null = null
  const look = async () => {
    const found = await watcher.query<Holder>(WHO, [pid])
    if (found.rows.length > 0) last = found.rows.map(nameOf).join(', ')
  }
  const timer = setInterval(() => {
    // If the watcher loses its connection, only the name is lost.
    looking ??= look()
      .catch(() => {})
      .finally(() => (looking = null))
  }, EVERY_MS)
  return {
    last: () => last,
    stop: async () => {
      clearInterval(timer)
      await looking
    },
  }
}

/** Names the process that is migrating. */
export async function migratorOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<Holder>(MIGRATOR_NOW)
  return rows[0] ? nameOf(rows[0]) : GONE
}

function nameOf({ pid, usename, application_name, seconds }: Holder): string {
  const program = application_name ? `, ${application_name}` : ''
  const since = seconds === null ? '' : `, in a transaction for ${seconds} s`
  return `process ${pid} (${usename}${program}${since})`
}
