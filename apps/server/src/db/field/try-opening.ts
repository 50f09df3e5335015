import { sql } from 'kysely'
import type { Pools, Tx } from '../database.ts'
import { inScope } from '../scope.ts'
import { COLUMNS, type ColumnName, rowNameOf, type SealedColumn } from './columns.ts'
import type { Keys } from './key-ring.ts'

/** The result; `columns` are those that had any values. */
export interface Tried {
  opened: number
  altered: number
  columns: number
}

/**
 * Opens the newest sealed values of every column, up to `most` per pharmacy, to check that a restored database is intact and belongs to the
 * available keys. Values that do not open are reported as usual.
 * @throws KeysAway; the database's errors
 */
export async function tryOpening({ app, system }: Pools, keys: Keys, most: number): Promise<Tried> {
  const { rows: places } = await sql<{ id: number; company: number }>`
    select id, company_id as company from location order by id`.execute(system)
  const tried: Tried = { opened: 0, altered: 0, columns: 0 }
  for (const column of COLUMNS) {
    const before = tried.opened + tried.altered
    const look = async (tx: Tx, location: number | null) => {
      for (const { name, sealed } of await newest(tx, column, location, most))
        tried[(await keys.openIfWhole(column.name, name, sealed)) === null ? 'altered' : 'opened']++
    }
    if (column.place)
      for (const { id, company } of places)
        await inScope(app, { companyId: company, locationIds: [id] }, (tx) => look(tx, id))
    else await system.transaction().execute((tx) => look(tx, null))
    if (tried.opened + tried.altered > before) tried.columns++
  }
  return tried
}

async function newest(
  tx: Tx,
  column: SealedColumn & { name: ColumnName },
  location: number | null,
  most: number,
): Promise<{ name: string; sealed: Buffer }[]> {
  const sealed = sql.ref<Buffer>(`t.${column.sealed}`)
  const { rows } = await sql<{ name: string; sealed: Buffer }>`
    select ${rowNameOf(column, 't')} as name, ${sealed} as sealed from ${sql.table(column.table)} t
    where ${location === null ? sql`true` : sql`t.location_id = ${location}`} and ${sealed} is not null
    order by ${sql.ref(`t.${column.order}`)} desc limit ${most}`.execute(tx)
  return rows
}
