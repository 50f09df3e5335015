import { type RawBuilder, sql } from 'kysely'

/**
 * Ends an insert of rows that a query makes, into a table of figures: two rows of one key are an error, as without it. A cluster (decision
 * 067) takes such an insert behind row-level security only when it says what becomes of a conflict.
 * @param key the columns of the primary key, the pharmacy's first
 */
export function onceOnly(...key: readonly [string, string, ...string[]]): RawBuilder<unknown> {
  const last = sql.ref(key.at(-1) as string)
  return sql`on conflict (${sql.join(key.map((name) => sql.ref(name)))}) do update set ${last} = excluded.${last}`
}
