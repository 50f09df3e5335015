import { sql } from 'kysely'
import { type Database, SEALS } from '../database.ts'

/**
 * Checks the database's connections for older processes. @throws Error with what to do if a connected process is of a version that does not
 * know sealed contacts: it could not match a STOP to its patient
 */
export async function refuseOlderProcesses(system: Database): Promise<void> {
  const { rows } = await sql<{ open: number; own: string }>`
    select count(*)::int as open, current_setting('application_name') as own from pg_stat_activity
    where datname = current_database() and application_name in ('pillar_app', 'pillar_system', 'pillar_staff')`.execute(
    system,
  )
  const { open, own } = rows[0]!
  if (!own.endsWith(SEALS))
    throw new Error(
      'DATABASE_URL gives connections a name of its own (application_name), so that older processes cannot be told apart. Leave it out and restart every process, then run this again.',
    )
  if (open > 0)
    throw new Error(
      `${open === 1 ? 'A connection' : `${open} connections`} of an older version of Pillar ${open === 1 ? 'is' : 'are'} open: its processes would not find whom a STOP is from. Stop them or start them with this version, then run this again.`,
    )
}
