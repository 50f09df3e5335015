import { sql } from 'kysely'
import type { Database, Tx } from './database.ts'

/** Whose data a transaction may see: a company and its pharmacies. */
export interface Scope {
  companyId: number
  locationIds: readonly number[]
}

/**
 * Binds the scope to the running transaction. It ends with the transaction, so a pooled connection keeps nothing. Uses `set local` with
 * literal numbers, because connection poolers and a cluster's workers follow that but not `set_config()`.
 */
export async function bindScope(tx: Tx, scope: Scope): Promise<void> {
  await sql`set local pillar.company_id = ${idText([scope.companyId])}`.execute(tx)
  await bindLocations(tx, scope.locationIds)
}

/** Runs `work` in one transaction that sees only `scope`. */
export function inScope<T>(db: Database, scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await bindScope(tx, scope)
    return work(tx)
  })
}

/**
 * Runs `work` seeing only these pharmacies of the bound company, then restores the previous scope, also when `work` fails. With the
 * narrowest scope a statement needs, row security can be an index condition instead of a search through all pharmacies for each row.
 */
export async function withScope<T>(tx: Tx, locationIds: readonly number[], work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ ids: number[] }>`select scope_location_ids() as ids`.execute(tx)
  return seeing(tx, rows[0]?.ids ?? [], locationIds, work)
}

/** The same, seeing all pharmacies of the bound company, including removed ones. */
export async function withCompanyScope<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ before: number[]; company: number[] }>`
    select scope_location_ids() as before, company_location_ids() as company`.execute(tx)
  return seeing(tx, rows[0]?.before ?? [], rows[0]?.company ?? [], work)
}

/** Sees these pharmacies during `work`, and those of `before` again after it. */
async function seeing<T>(
  tx: Tx,
  before: readonly number[],
  locationIds: readonly number[],
  work: () => Promise<T>,
): Promise<T> {
  await bindLocations(tx, locationIds)
  try {
    return await work()
  } finally {
    // After a database error nothing can be set any more: rolling back the savepoint or transaction also undoes our setting.
    await bindLocations(tx, before).catch((error: { code?: string }) => {
      if (error.code !== ABORTED) throw error
    })
  }
}

/** Runs `work` at each of these pharmacies of the bound company in turn, seeing only that one; then restores the previous scope. */
export async function atEachPlace<Place extends { id: number }>(
  tx: Tx,
  places: readonly Place[],
  work: (place: Place) => Promise<unknown>,
): Promise<void> {
  await withScope(tx, [], async () => {
    for (const place of places) {
      await bindLocations(tx, [place.id])
      await work(place)
    }
  })
}

/**
 * Runs `work` in the same transaction at one pharmacy of another company, once a right to it has been proved, such as a referral a
 * recruiter sees. Then restores the previous scope.
 */
export async function atOtherPharmacy<T>(tx: Tx, scope: Scope, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ company: number | null }>`select scope_company_id() as company`.execute(tx)
  return withScope(tx, [], async () => {
    await bindScope(tx, scope)
    const answer = await work()
    await bindScope(tx, { companyId: Number(rows[0]?.company ?? 0), locationIds: [] })
    return answer
  })
}

/**
 * Runs `work` in the middle of a tenant's transaction seeing one recruiter's referrals at any pharmacy, as a role that may read nothing
 * else; then restores the previous scope.
 */
export async function asRecruiter<T>(tx: Tx, recruiterId: number, work: () => Promise<T>): Promise<T> {
  return withScope(tx, [], async () => {
    await sql`set local pillar.recruiter_id = ${idText([recruiterId])}`.execute(tx)
    await sql`set local role pillar_recruiter`.execute(tx)
    const answer = await work()
    // Not after an error: the rollback undoes the role and the setting.
    await sql`set local role pillar_app`.execute(tx)
    await sql`set local pillar.recruiter_id = ''`.execute(tx)
    return answer
  })
}

/**
 * Runs `work` in the same transaction as another of our roles: as tenants see one company (with its scope), or as the system. For the few
 * console acts that must change, in one transaction, both what the console's own role may see and what it may not.
 */
export async function actingAs<T>(
  tx: Tx,
  role: 'pillar_app' | 'pillar_system',
  scope: Scope | null,
  work: () => Promise<T>,
): Promise<T> {
  await sql`set local role ${sql.raw(role)}`.execute(tx)
  if (scope) await bindScope(tx, scope)
  const answer = await work()
  // Not after an error: the rollback undoes the role.
  if (scope) await bindScope(tx, { companyId: 0, locationIds: [] })
  await sql`set local role pillar_staff`.execute(tx)
  return answer
}

/**
 * Plans the queries of `run` without nested loops where possible. Row security makes the planner expect hardly any rows of a pharmacy; with
 * thousands, it would go through all others for each, taking hours where a hash takes seconds.
 */
export const withoutNestedLoops = <T>(tx: Tx, run: () => Promise<T>): Promise<T> => nestedLoops(tx, 'off', run)

/** Lets a few rows be looked up by key within work that avoids nested loops, such as a load. */
export const withNestedLoops = <T>(tx: Tx, run: () => Promise<T>): Promise<T> => nestedLoops(tx, 'on', run)

/** Then restores the previous setting. */
async function nestedLoops<T>(tx: Tx, wanted: 'on' | 'off', run: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ before: 'on' | 'off' }>`select current_setting('enable_nestloop') as before`.execute(tx)
  const before = rows[0]?.before ?? 'on'
  if (before === wanted) return run()
  await sql`set local enable_nestloop = ${sql.raw(wanted)}`.execute(tx)
  const answer = await run()
  await sql`set local enable_nestloop = ${sql.raw(before)}`.execute(tx)
  return answer
}

const ABORTED = '25P02'

const bindLocations = (tx: Tx, ids: readonly number[]) =>
  sql`set local pillar.location_ids = ${idText(ids, '{', '}')}`.execute(tx)

/** Ids as a literal; `set` takes no parameters, so only whole numbers may get here. */
function idText(ids: readonly number[], open = '', close = '') {
  // The driver reads an array of ids as text digits.
  const whole = ids.map(Number)
  if (!whole.every(Number.isSafeInteger)) throw new Error('a scope is made of ids')
  return sql.raw(`'${open}${whole.join(',')}${close}'`)
}
