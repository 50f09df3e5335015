import { sql } from 'kysely'
import type { Database } from '../database.ts'

/**
 * As far as connections show it. @throws Error with what to do while a process is connected to the database whose version does not know sealed
 * contacts: it would not find whom a STOP is from
 */
export async function refuseOlderProcesses(system: Database): Promise<void> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from pg_stat_activity
    where datname = current_database() and application_name in ('pillar_app', 'pillar_system', 'pillar_staff')`.execute(
    system,
  )
  const open = rows[0]?.open ?? 0
  if (open > 0)
    throw new Error(
      `${open === 1 ? 'A connection' : `${open} connections`} of an older version of Pillar ${open === 1 ? 'is' : 'are'} open: its processes would not find whom a STOP is from. Stop them or start them with this version, then run this again.`,
    )
}
