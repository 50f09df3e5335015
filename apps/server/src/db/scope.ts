import { sql } from 'kysely'
import type { Database, Tx } from './database.ts'

/** Whose data a transaction may see: a company and the pharmacies of it. */
export interface Scope {
  companyId: number
  locationIds: readonly number[]
}

/**
 * Binds the scope to the running transaction. It ends with the transaction, so a pooled connection keeps nothing. Bound by `set local` with
 * the numbers written out: connection poolers and a cluster's workers follow that, and do not follow `set_config()`.
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
 * Runs `work` seeing only these pharmacies of the company bound, and then what was seen before again, also when `work` fails. The narrowest
 * scope a statement needs lets row security be an index condition and not a search through all pharmacies for each row.
 */
export async function withScope<T>(tx: Tx, locationIds: readonly number[], work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ ids: number[] }>`select scope_location_ids() as ids`.execute(tx)
  const before = (rows[0]?.ids ?? []).map(Number)
  await bindLocations(tx, locationIds)
  try {
    return await work()
  } finally {
    // After an error of the database nothing can be set any more: the savepoint or the transaction that is rolled back takes ours with it.
    await bindLocations(tx, before).catch((error: { code?: string }) => {
      if (error.code !== ABORTED) throw error
    })
  }
}

/**
 * Runs `work` in the same transaction at one pharmacy of another company, after a right to that pharmacy was proved: a referral that
 * a recruiter sees. Then what was seen before again.
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
 * Runs `work` seeing the referrals of one recruiter, at whatever pharmacy, as a role that may read nothing else; then what was seen before
 * again. In the middle of a transaction as a tenant.
 */
export async function asRecruiter<T>(tx: Tx, recruiterId: number, work: () => Promise<T>): Promise<T> {
  return withScope(tx, [], async () => {
    await sql`set local pillar.recruiter_id = ${idText([recruiterId])}`.execute(tx)
    await sql`set local role pillar_recruiter`.execute(tx)
    const answer = await work()
    // Not after an error: the transaction is rolled back, and role and setting with it.
    await sql`set local role pillar_app`.execute(tx)
    await sql`set local pillar.recruiter_id = ''`.execute(tx)
    return answer
  })
}

/**
 * Runs `work` in the same transaction as another of our roles: as tenants see one company (with its scope), or as the system. For the few
 * acts of the console that must change what the console's own role may not see, at once with what it may.
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
  // Not after an error: the transaction is rolled back, and the role with it.
  if (scope) await bindScope(tx, { companyId: 0, locationIds: [] })
  await sql`set local role pillar_staff`.execute(tx)
  return answer
}

/**
 * Has what `run` asks planned without nested loops where there is another way. Row security makes the planner expect hardly a row of a pharmacy:
 * of thousands it would then go through all others for each, hours where a hash takes seconds.
 */
export const withoutNestedLoops = <T>(tx: Tx, run: () => Promise<T>): Promise<T> => nestedLoops(tx, 'off', run)

/** Has a few rows looked up by their keys in the midst of work that does without nested loops, such as a load. */
export const withNestedLoops = <T>(tx: Tx, run: () => Promise<T>): Promise<T> => nestedLoops(tx, 'on', run)

/** Then as it was before. */
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

/** Ids as a literal; `set` takes no parameters, so nothing but whole numbers may get here. */
function idText(ids: readonly number[], open = '', close = '') {
  // The driver reads an array of ids as digits.
  const whole = ids.map(Number)
  if (!whole.every(Number.isSafeInteger)) throw new Error('a scope is made of ids')
  return sql.raw(`'${open}${whole.join(',')}${close}'`)
}
