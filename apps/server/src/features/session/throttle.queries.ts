import { CompiledQuery } from 'kysely'
import type { Database } from '../../db/database.ts'

interface StoredQuery {
  text: string
  values: unknown[]
}

/**
 * The sign-in connections in the shape rate-limiter-flexible expects of a PostgreSQL client. The statements are the library's own;
 * its table, `throttle`, is made by the migration.
 */
export function throttleStore(system: Database) {
  return {
    async query({ text, values }: StoredQuery): Promise<{ rows: unknown[]; rowCount: number }> {
      const result = await system.executeQuery(CompiledQuery.raw(text, values))
      return { rows: result.rows, rowCount: Number(result.numAffectedRows ?? result.rows.length) }
    },
  }
}
