import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Whether the login `l` agreed to a version of the agreement. */
export const agreedTo = (version: string) =>
  sql<boolean>`exists (select from eula_agreement a where a.login_id = l.id and a.version = ${version})`

/** Records that a person agrees to a version; somebody who did before keeps that time. @returns when, and whether it is new */
export async function agree(
  tx: Tx,
  loginId: number,
  version: string,
  now: Date,
): Promise<{ at: Date; fresh: boolean }> {
  const added = await sql`
    insert into eula_agreement (login_id, version, agreed_at) values (${loginId}, ${version}, ${now})
    on conflict do nothing returning login_id`.execute(tx)
  const { rows } = await sql<{ agreed_at: Date }>`
    select agreed_at from eula_agreement where login_id = ${loginId} and version = ${version}`.execute(tx)
  return { at: rows[0]!.agreed_at, fresh: added.rows.length > 0 }
}
