import { sql } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import { readCopy, readLines } from '../../src/features/metrics/line.queries.ts'
import type { RawLines } from '../../src/features/metrics/line-pack.ts'

const rowsOf = (lines: RawLines | null): string[] =>
  Array.from(lines?.day ?? [], (_, at) =>
    Object.entries(lines ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, column]) => `${name} ${column[at]}`)
      .join(),
  ).sort()

/** The counted lines of a pharmacy, as its scripts and as the copy of them say. */
export async function bothLines(tx: Tx, locationId: number): Promise<{ scripts: string[]; copy: string[] }> {
  return {
    scripts: rowsOf(await readLines(tx, locationId, sql``, true)),
    copy: rowsOf(await readCopy(tx, locationId)),
  }
}

const TABLES = ['metric_total', 'metric_cell', 'metric_figure', 'metric_persistence', 'patient_measure'] as const

/** Every row that is stored of a pharmacy's figures, by its table. */
export async function storedRows(tx: Tx, locationId: number): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const table of TABLES) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(table)} t where location_id = ${locationId}`.execute(tx)
    found[table] = rows.map(({ row }) => row).sort()
  }
  return found
}
