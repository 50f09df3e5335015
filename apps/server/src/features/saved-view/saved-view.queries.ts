import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { isTaken } from '../../db/taken.ts'

/** A view as one person sees it: their own, or one that a colleague shares. */
export interface ViewRow {
  id: number
  uuid: string
  name: string
  shared: boolean
  state: Record<string, string | number | boolean | string[]>
  mine: boolean
  made_by: string | null
  /** Its maker can no longer sign in, or is now in another company. */
  maker_gone: boolean
  is_default: boolean
  changed_at: Date
  version: number
}

const viewsOf = (loginId: number, more = sql``) => sql<ViewRow>`
  select v.id, v.uuid, v.name, v.shared, v.state, v.login_id = ${loginId} as mine, n.name as made_by,
         g.login_id is not null or n.login_id is null as maker_gone, d.view_id is not null as is_default, v.changed_at, v.version
  from saved_view v
  left join login_name n on n.login_id = v.login_id
  left join login_gone g on g.login_id = v.login_id
  left join saved_view_default d on d.view_id = v.id and d.login_id = ${loginId}
  where v.company_id = scope_company_id() and (v.login_id = ${loginId} or v.shared) ${more}`

/** The views a person sees, their own first, by name. */
export async function listViews(tx: Tx, loginId: number): Promise<ViewRow[]> {
  const { rows } = await viewsOf(loginId, sql`order by mine desc, lower(v.name), v.id`).execute(tx)
  return rows
}

/** A view the person sees, locked against other changes; undefined if none has that id. */
export async function lockView(tx: Tx, loginId: number, uuid: string): Promise<ViewRow | undefined> {
  const { rows } = await viewsOf(loginId, sql`and v.uuid = ${uuid} for update of v`).execute(tx)
  return rows[0]
}

/** How many views a person has made. */
export async function countViews(tx: Tx, loginId: number): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from saved_view where login_id = ${loginId}`.execute(tx)
  return rows[0]?.count ?? 0
}

interface ViewFields {
  name: string
  shared: boolean
  state: ViewRow['state']
}

/** Adds a view. @returns its id; null if its maker has one of that name */
export async function insertView(
  tx: Tx,
  made: ViewFields & { companyId: number; loginId: number; now: Date },
): Promise<string | null> {
  const { rows } = await sql<{ uuid: string }>`
    insert into saved_view (uuid, company_id, login_id, name, shared, state, created_at, changed_at)
    values (${uuidv7()}, ${made.companyId}, ${made.loginId}, ${made.name}, ${made.shared}, ${JSON.stringify(made.state)}::jsonb,
      ${made.now}, ${made.now})
    on conflict (login_id, lower(name)) do nothing returning uuid`.execute(tx)
  return rows[0]?.uuid ?? null
}

/** Changes a view. @returns its new version; null if its maker has another one of that name */
export async function changeView(tx: Tx, id: number, to: ViewFields, now: Date): Promise<number | null> {
  // The index decides: with a check first, two requests for the same name could both pass.
  const changed = await sql<{ version: number }>`
    update saved_view set name = ${to.name}, shared = ${to.shared}, state = ${JSON.stringify(to.state)}::jsonb,
      changed_at = ${now}, version = version + 1
    where id = ${id} returning version`
    .execute(tx)
    .catch((error: unknown) => {
      if (!isTaken(error)) throw error
      return null
    })
  if (changed === null) return null
  // Once it is not shared, only its maker can have it as the default.
  if (!to.shared) {
    await sql`delete from saved_view_default d using saved_view v
      where v.id = ${id} and d.view_id = v.id and d.login_id <> v.login_id`.execute(tx)
  }
  return changed.rows[0]!.version
}

/** Deletes a view, including from the people who have it as their default. */
export async function deleteView(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('saved_view').where('id', '=', id).execute()
}

/** Sets the view a person's screen opens with; none for null. */
export async function saveDefault(tx: Tx, who: { companyId: number; loginId: number }, viewId: number | null) {
  if (viewId === null)
    return void (await tx.deleteFrom('saved_view_default').where('login_id', '=', who.loginId).execute())
  await tx
    .insertInto('saved_view_default')
    .values({ login_id: who.loginId, company_id: who.companyId, view_id: viewId })
    .onConflict((conflict) => conflict.column('login_id').doUpdateSet({ view_id: viewId }))
    .execute()
}
