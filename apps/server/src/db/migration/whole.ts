import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Database } from '../database.ts'

interface Bare {
  database: string
  tables: number
}

const BARE = `
  select quote_ident(current_database()) as database, count(*)::int as tables from pg_class
  where relnamespace = to_regnamespace('public') and relforcerowsecurity and not relrowsecurity`

/** @throws Error with what to do if a restore was broken off: row-level security, which keeps companies apart, is what it adds last */
export async function refuseHalfRestored(owner: pg.Client): Promise<void> {
  refuseBare((await owner.query<Bare>(BARE)).rows)
}

/** The same, for a start that does not migrate, and for commands. */
export async function refuseHalfThere(system: Database): Promise<void> {
  refuseBare((await system.executeQuery<Bare>(CompiledQuery.raw(BARE))).rows)
}

function refuseBare([found]: readonly Bare[]): void {
  if (found && found.tables > 0)
    throw new Error(
      `The database ${found.database} is not complete: it lacks row-level security, which keeps companies apart, at ${found.tables} of its tables, as ` +
        `after a restore that was broken off. Drop it, create it again, and restore into the empty one. See docs/operations.md, Backups.`,
    )
}
