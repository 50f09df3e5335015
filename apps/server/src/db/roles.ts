import type pg from 'pg'
import { openClient } from './away.ts'

/** The roles that serving connections and transactions take. Roles that an older schema lacks are skipped. */
export const SERVING = ['pillar_app', 'pillar_system', 'pillar_queue', 'pillar_staff', 'pillar_recruiter'] as const

/** PostgreSQL's own roles that amount to a superuser: they run programs and read and write files as the server. */
const AS_GOOD_AS = ['pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files']

/**
 * Refuses to serve as a superuser, or as a login that may become one: any hole would then open every company's patients and the machine.
 * @throws Error with what to do
 */
export async function refuseSuperuser(url: string): Promise<void> {
  const found = await onClient(url, (client) =>
    client.query<{ name: string; above: string | null }>(
      `select session_user as name,
         (select rolname from pg_roles where (rolsuper or rolname = any ($1)) and pg_has_role(session_user, oid, 'member')
          order by rolname <> session_user limit 1) as above`,
      [AS_GOOD_AS],
    ),
  )
  const { name, above } = found.rows[0]!
  if (above === null) return
  const why = above === name ? 'is a superuser' : `may act as "${above}"`
  throw new Error(
    `Pillar does not serve as the database user "${name}", who ${why}: any fault would open every patient's record and the machine. ` +
      `Make a login without rights of its own (create role ${name === 'pillar_server' ? 'pillar_web' : 'pillar_server'} login noinherit password '…'), put it in DATABASE_URL, ` +
      'and the user who migrates in DATABASE_OWNER_URL. See docs/operations.md, PostgreSQL.',
  )
}

/** PostgreSQL's code for a role that may not be taken. */
const MAY_NOT_TAKE = '42501'

/**
 * Refuses to serve as a login that may not take every one of Pillar's roles: a role's work, such as all of support's, would fail without
 * warning. Skips roles that no migration has created yet.
 * @throws Error with what to do
 */
export async function refuseMissingRoles(url: string): Promise<void> {
  const denied = await onClient(url, async (client) => {
    const found: string[] = []
    for (const role of SERVING)
      try {
        await client.query(`set role ${client.escapeIdentifier(role)}`)
      } catch (error) {
        if ((error as { code?: unknown }).code === MAY_NOT_TAKE) found.push(role)
      }
    return found
  })
  if (denied.length === 0) return
  const login = decodeURIComponent(new URL(url).username)
  throw new Error(
    `The login "${login}" may not take ${denied.join(', ')}, so a part of Pillar would not work. Run "npm run migrate" with the DATABASE_URL ` +
      `of this start, or as an administrator: grant ${denied.join(', ')} to "${login}". See docs/operations.md, PostgreSQL.`,
  )
}

/** Lets whoever serves take Pillar's roles, and no more. Does nothing where the owner serves too. */
export async function grantServing(client: pg.Client, servingUrl: string): Promise<void> {
  const login = decodeURIComponent(new URL(servingUrl).username)
  const { rows } = await client.query<{ role: string }>(
    `select rolname as role from pg_roles where rolname = any ($1) and $2 <> session_user
       and not pg_has_role($2, oid, 'member')`,
    [SERVING, login],
  )
  for (const { role } of rows)
    await client.query(`grant ${client.escapeIdentifier(role)} to ${client.escapeIdentifier(login)}`)
}

async function onClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openClient({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
