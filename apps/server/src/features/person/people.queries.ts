import type { Day } from '@pillar/domain/time/day'
import type { Database, Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { withNestedLoops, withScope } from '../../db/scope.ts'
import { forgetSets, recountShared } from './counted-once.queries.ts'
import { dropKeys, hasKeys, refreshKeys } from './person-key.queries.ts'
import { lockPeople, peopleOf, relink } from './person-link.queries.ts'

interface Needs {
  secret: Buffer
  keys: Keys
  system: Database
}

/**
 * Brings the people of a company up to date after the records of one of its pharmacies changed: the keys of its patients, who is one person
 * with whom, and what is added to sums where pharmacies share people. In the transaction of the change, after the pharmacy's own figures.
 * @param since the day that recomputed periods reach; null when it was all of them
 */
export async function refreshPeople(
  tx: Tx,
  { secret, keys, system }: Needs,
  { locationId, companyId }: { locationId: number; companyId: number },
  since: Day | null,
): Promise<void> {
  const changed = await refreshKeys(tx, { secret, keys, companyId, locationId })
  const ids = await pharmaciesOf(system, companyId)
  if (ids.length < 2 && !changed.all) return
  await lockPeople(tx, companyId)
  // A load does without them.
  await withNestedLoops(tx, () =>
    withScope(tx, [...new Set([...ids, locationId])], async () => {
      const relinked = await relink(tx, changed.keys, { locationId, patients: changed.patients })
      if (changed.all) await forgetSets(tx, locationId)
      await recountShared(tx, locationId, changed.all ? null : since, relinked.changed)
    }),
  )
}

/** The same for a pharmacy whose keys are not those of its company: it came from another, was removed and is back, or shared people with such a one. */
export async function renewPeople(
  tx: Tx,
  needs: Needs,
  place: { locationId: number; companyId: number },
): Promise<void> {
  if (!(await hasKeys(tx, { ...place, secret: needs.secret }))) await refreshPeople(tx, needs, place, null)
}

/**
 * Has what is concluded of a pharmacy's people made anew, at those that shared people with it too. Requires the transaction's scope to
 * hold the company's pharmacies. @returns those others
 */
export async function dropPeople(tx: Tx, locationId: number): Promise<number[]> {
  const records = (await peopleOf(tx, [locationId])).flatMap((one) => one.records)
  const others = [...new Set(records.map(({ location }) => location))].filter((id) => id !== locationId)
  await dropKeys(tx, [locationId, ...others])
  return others
}

/** The pharmacies of a company, in order. */
export async function pharmaciesOf(system: Database, companyId: number): Promise<number[]> {
  const rows = await system
    .selectFrom('location')
    .select('id')
    .where('company_id', '=', companyId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
