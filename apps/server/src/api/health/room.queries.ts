import { sql } from 'kysely'
import type { Database, Pools } from '../../db/database.ts'
import { QUEUE_CONNECTIONS } from '../queue.ts'

/** The connections one limit allows, and those open now, including this process's own. */
export interface Room {
  of: 'server' | 'database' | 'login'
  most: number
  used: number
}

/** Reads the connection limits of the server, the database and the serving login, the one with the least room first. */
export async function roomOf(system: Database): Promise<[Room, ...Room[]]> {
  const { rows } = await sql<Room>`
    with room as (
      select 'server' as of, current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0) as most,
        (select coalesce(sum(numbackends), 0)::int from pg_stat_database) as used
      union all
      select 'database', d.datconnlimit, pg_stat_get_db_numbackends(d.oid)
      from pg_database d where d.datname = current_database() and d.datconnlimit >= 0
      union all
      select 'login', r.rolconnlimit, (select count(*)::int from pg_stat_activity where usesysid = r.oid)
      from pg_roles r where r.rolname = session_user and r.rolconnlimit >= 0)
    select * from room order by most - used`.execute(system)
  return rows as [Room, ...Room[]]
}

/** Where the limit is set. */
const RAISE: Record<Room['of'], string> = {
  server: 'max_connections',
  database: 'the connection limit of the database ("alter database … connection limit …")',
  login: 'the connection limit of the login ("alter role … connection limit …")',
}

/** Why a process that starts may find no connection when it needs one, and what to do; null where there is room for all of them. */
export function connectionWarning(
  { limits }: Pick<Pools, 'limits'>,
  [{ of, most, used }]: readonly [Room, ...Room[]],
): string | null {
  const wants = Object.values(limits).reduce((sum, one) => sum + one, QUEUE_CONNECTIONS)
  if (used + wants <= most) return null
  return (
    `This process may open ${wants} connections to the database, which allows ${most} and has ${used} open. Raise ${RAISE[of]}: ` +
    'docs/operations.md says how many all processes need.'
  )
}
