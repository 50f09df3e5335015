import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

export interface SessionRow {
  at: string
  username: string | null
  action: string
  object: string | null
  object_name: string | null
  company: string | null
  detail: Readonly<Record<string, unknown>>
}

/** Everything a session did and looked at, oldest first. Includes copies in other companies' logs, because they name what was affected there. */
export async function sessionRows(system: Database, session: string): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, l.username, a.action, a.object, a.object_name,
           c.name as company, a.detail
    from audit a left join login l on l.id = a.login_id left join company c on c.id = a.company_id
    where a.session_id = ${session} order by a.at, a.id`.execute(system)
  return rows
}
