import type { UploadSet } from '@pillar/domain/upload/upload-format'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { stageTable } from './stage.ts'

/**
 * Of each id keeps the staged rows of its newest version; a row without a version is older than any with one.
 * @returns how many older rows were dropped
 */
export async function dropOlder(tx: Tx, set: UploadSet, id: string): Promise<number> {
  const table = sql.table(stageTable(set))
  const done = await sql`
    delete from ${table} s using (
      select ${sql.ref(id)} as id, max(version) as version from ${table}
      where not faulty group by 1 having count(*) > 1 and max(version) is not null
    ) newest
    where s.${sql.ref(id)} = newest.id and not s.faulty and (s.version is null or s.version < newest.version)`.execute(
    tx,
  )
  return Number(done.numAffectedRows ?? 0)
}
