import { sql } from 'kysely'
import type { Database, Pools } from '../../db/database.ts'
import { QUEUE_CONNECTIONS } from '../queue.ts'

/** Connections the database lets logins open, and those that are open now, this process's own among them. */
export interface Room {
  most: number
  used: number
}

/** Reads it from the server's settings and statistics. */
export async function roomOf(system: Database): Promise<Room> {
  const { rows } = await sql<Room>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as most,
      (select coalesce(sum(numbackends), 0)::int from pg_stat_database) as used`.execute(system)
  return rows[0]!
}

/** Why a process that starts may find no connection when it needs one, and what to do; null where there is room for all of them. */
export function connectionWarning({ limits }: Pick<Pools, 'limits'>, { most, used }: Room): string | null {
  const wants = Object.values(limits).reduce((sum, one) => sum + one, QUEUE_CONNECTIONS)
  if (used + wants <= most) return null
  return (
    `This process may open ${wants} connections to the database, which allows ${most} and has ${used} open. Raise max_connections: ` +
    'docs/operations.md says how many all processes need.'
  )
}
