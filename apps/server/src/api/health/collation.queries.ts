import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** Two versions of the rules by which a server sorts text. */
export interface CollationChange {
  /** As the database's quoted name in SQL. */
  database: string
  /** When the indexes were built, and now. */
  built: string
  now: string
}

/**
 * Whether the server sorts text by other rules than when the database's indexes were built, as after a newer operating system or a restore on
 * another one. An index over text may then miss rows that are there, and a unique one may take a row twice. Null if not, or if the locale has
 * no versions.
 */
export async function collationChange(db: Database): Promise<CollationChange | null> {
  const { rows } = await sql<CollationChange>`
    select quote_ident(datname) as database, datcollversion as built, pg_database_collation_actual_version(oid) as now
    from pg_database
    where datname = current_database() and datcollversion <> pg_database_collation_actual_version(oid)`.execute(db)
  return rows[0] ?? null
}

/** What the log of a start says about it; null without a change. */
export function collationWarning(change: CollationChange | null): string | null {
  if (!change) return null
  const { database, built, now } = change
  return (
    `The database server sorts text by other rules (${now}) than when the indexes of ${database} were built (${built}): patients may be missed or ` +
    `stored twice. Stop Pillar and run as the owner: reindex database ${database}. Once that has succeeded: alter database ${database} refresh ` +
    'collation version. See docs/alerts.md, PillarCollationChanged.'
  )
}
