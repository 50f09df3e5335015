import type { Day } from '@pillar/domain/time/day'
import type { Database, Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { withNestedLoops, withScope } from '../../db/scope.ts'
import { forgetSets, recountShared } from './counted-once.queries.ts'
import { countKeyed, dropKeys, hasKeys, type LostKeys, refreshKeys } from './person-key.queries.ts'
import { lockPeople, peopleOf, relink } from './person-link.queries.ts'

interface Needs {
  secret: Buffer
  keys: Keys
  system: Database
}

/**
 * Brings the people of a company up to date after the records of one of its pharmacies changed: the keys of its patients, which records
 * belong to one person, and the corrections where pharmacies share people. In the transaction of the change, after the pharmacy's own
 * figures.
 * @param since the day that recomputed periods reach; null if all were recomputed
 * @param lost keys deleted in this transaction
 */
export async function refreshPeople(
  tx: Tx,
  { secret, keys, system }: Needs,
  { locationId, companyId }: { locationId: number; companyId: number },
  since: Day | null,
  lost: LostKeys = { keys: [], patients: [] },
): Promise<void> {
  const changed = await refreshKeys(tx, { secret, keys, companyId, locationId })
  const ids = await pharmaciesOf(system, companyId)
  if (ids.length < 2 && !changed.all) return
  await lockPeople(tx, companyId)
  // A load runs without nested loops.
  await withNestedLoops(tx, () =>
    withScope(tx, [...new Set([...ids, locationId])], async () => {
      const patients = [...changed.patients, ...lost.patients]
      const relinked = await relink(tx, [...changed.keys, ...lost.keys], { locationId, patients })
      if (changed.all) await forgetSets(tx, locationId)
      await recountShared(tx, locationId, changed.all ? null : since, relinked.changed)
    }),
  )
}

/**
 * The same for a pharmacy whose keys do not belong to its company: it came from another, was removed and restored, or shared people with
 * such a pharmacy.
 */
export async function renewPeople(
  tx: Tx,
  needs: Needs,
  place: { locationId: number; companyId: number },
): Promise<void> {
  if (!(await hasKeys(tx, { ...place, secret: needs.secret }))) await refreshPeople(tx, needs, place, null)
}

/**
 * Discards what was derived about a pharmacy's people, also at pharmacies that shared people with it, so that it is made again. Requires
 * the company's pharmacies in the transaction's scope. @returns those other pharmacies
 */
export async function dropPeople(tx: Tx, locationId: number): Promise<number[]> {
  const records = (await peopleOf(tx, [locationId])).flatMap((one) => one.records)
  const others = [...new Set(records.map(({ location }) => location))].filter((id) => id !== locationId)
  await dropKeys(tx, [locationId, ...others])
  return others
}

/** Of a pharmacy's patients who can be recognised elsewhere, how many another pharmacy of the company also has. */
export interface SharedWith {
  pharmacy: string
  shared: number
  recognisable: number
}

/** The pharmacy of the company with most of this one's people; null if it shares none. Once its people are up to date. */
export async function mostShared(
  tx: Tx,
  system: Database,
  { locationId, companyId }: { locationId: number; companyId: number },
): Promise<SharedWith | null> {
  const people = await withScope(tx, await pharmaciesOf(system, companyId), () => peopleOf(tx, [locationId]))
  const others = people.flatMap(({ records }) =>
    [...new Set(records.map(({ location }) => location))].filter((id) => id !== locationId),
  )
  const counts = [...Map.groupBy(others, (id) => id)].map(([id, all]) => ({ id, shared: all.length }))
  const most = counts.toSorted((a, b) => b.shared - a.shared)[0]
  if (!most) return null
  const { name } = await system
    .selectFrom('location')
    .select('name')
    .where('id', '=', most.id)
    .executeTakeFirstOrThrow()
  return { pharmacy: name, shared: most.shared, recognisable: await countKeyed(tx, locationId) }
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
