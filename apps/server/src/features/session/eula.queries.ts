import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** Whether the login `l` agreed to a version of the agreement. */
export const agreedTo = (version: string) =>
  sql<boolean>`exists (select from eula_agreement a where a.login_id = l.id and a.version = ${version})`

/** Whether a person agreed to a version of the agreement. */
export async function hasAgreed(db: Database, loginId: number, version: string): Promise<boolean> {
  const { rows } = await sql`
    select from eula_agreement where login_id = ${loginId} and version = ${version}`.execute(db)
  return rows.length > 0
}

/** Records that a person agrees to a version; a person who has agreed before keeps that time. @returns when, and whether it is new */
export async function agree(
  db: Database,
  loginId: number,
  version: string,
  now: Date,
): Promise<{ at: Date; fresh: boolean }> {
  const added = await sql`
    insert into eula_agreement (login_id, version, agreed_at) values (${loginId}, ${version}, ${now})
    on conflict do nothing returning login_id`.execute(db)
  const { rows } = await sql<{ agreed_at: Date }>`
    select agreed_at from eula_agreement where login_id = ${loginId} and version = ${version}`.execute(db)
  return { at: rows[0]!.agreed_at, fresh: added.rows.length > 0 }
}
