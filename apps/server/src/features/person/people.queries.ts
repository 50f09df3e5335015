import type { Day } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { withScope } from '../../db/scope.ts'
import { recountShared } from './counted-once.queries.ts'
import { refreshKeys } from './person-key.queries.ts'
import { lockPeople, relink } from './person-link.queries.ts'

/**
 * Brings the people of a company up to date after the records of one of its pharmacies changed: the keys of its patients, who is one person
 * with whom, and what is added to sums where pharmacies share people. In the transaction of the change, after the pharmacy's own figures.
 * @param since the day that recomputed periods reach; null when it was all of them
 */
export async function refreshPeople(
  tx: Tx,
  { secret, keys, system }: { secret: Buffer; keys: Keys; system: Database },
  { locationId, companyId }: { locationId: number; companyId: number },
  since: Day | null,
): Promise<void> {
  const changed = await refreshKeys(tx, { secret, keys, companyId, locationId })
  const ids = await pharmaciesOf(system, companyId)
  if (ids.length < 2) return
  await lockPeople(tx, companyId)
  await withNestedLoops(tx, () =>
    withScope(tx, [...new Set([...ids, locationId])], async () => {
      const relinked = await relink(tx, changed.keys, { locationId, patients: changed.patients })
      await recountShared(tx, locationId, since, relinked.changed)
    }),
  )
}

/** The pharmacies of a company, in order. */
async function pharmaciesOf(system: Database, companyId: number): Promise<number[]> {
  const rows = await system
    .selectFrom('location')
    .select('id')
    .where('company_id', '=', companyId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** A load turns these off for its large merges; a few rows by their keys are found with them. */
async function withNestedLoops(tx: Tx, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ before: string }>`select current_setting('enable_nestloop') as before`.execute(tx)
  await sql`set local enable_nestloop = on`.execute(tx)
  await work()
  if (rows[0]?.before === 'off') await sql`set local enable_nestloop = off`.execute(tx)
}
