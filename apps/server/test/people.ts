import { randomBytes } from 'node:crypto'
import type { Flag } from '@pillar/contract'
import { EULA_VERSION } from '@pillar/domain/access/eula'
import type pg from 'pg'
import { createLocation, ensureCompany } from '../src/features/location/location.queries.ts'
import { agree } from '../src/features/session/eula.queries.ts'
import { createLogin } from '../src/features/session/login.queries.ts'
import type { Reply, TestServer } from './server.ts'

export const PASSWORD = 'three herons over Ballarat'

let made = 0
/** A name nobody else in this run has. */
export const fresh = (word: string) => `${word}-${++made}-${randomBytes(3).toString('hex')}`

export interface TestCompany {
  id: number
  uuid: string
  name: string
}

export async function makeCompany(server: TestServer, name = fresh('Company')): Promise<TestCompany> {
  return { ...(await ensureCompany(server.services.pools.system, { name, country: 'AU' })), name }
}

export interface TestLogin {
  id: number
  uuid: string
  username: string
  email: string
  password: string
}

export async function makeLogin(
  server: TestServer,
  companyId: number,
  /** People who may see 60 day dispensing have agreed to its licence by default. */
  options: { username?: string; flags?: readonly Flag[]; password?: string; agreed?: boolean } = {},
): Promise<TestLogin> {
  const username = options.username ?? fresh('person')
  const password = options.password ?? PASSWORD
  const email = `${username}@mail.example`
  const login = { companyId, username, email, first_name: 'Robin', last_name: 'Vale', flags: options.flags ?? [] }
  const { system } = server.services.pools
  const ids = await createLogin(system, { ...login, password }, server.services.passwordCost)
  const agreed = options.agreed ?? login.flags.includes('sixty_day_signup')
  if (agreed) await agree(system, ids.id, EULA_VERSION, server.services.now())
  return { ...ids, username, email, password }
}

export async function makeLocation(
  server: TestServer,
  companyId: number,
  name = fresh('Pharmacy'),
): Promise<{ id: number; uuid: string; key: string; name: string }> {
  const place = { region: 'VIC', postcode: '3350', country: 'AU', time_zone: 'Australia/Melbourne' } as const
  const { pools, secret } = server.services
  return { ...(await createLocation(pools.system, { companyId, name, ...place }, secret)), name }
}

export interface SignedIn {
  token: string
  secret: string
  /** For calls that need a bearer. */
  bearer: Record<string, string>
  /** For refresh and logout. */
  cookie: Record<string, string>
  reply: Reply<Record<string, unknown>>
}

/** Signs in over HTTP and returns what the browser would hold. */
export async function signIn(server: TestServer, login: Pick<TestLogin, 'username' | 'password'>): Promise<SignedIn> {
  const reply = await server.call('/api/enterprise-login', { name: login.username, password: login.password })
  if (reply.status !== 200) throw new Error(`sign-in failed: ${reply.status} ${JSON.stringify(reply.body)}`)
  const cookie = reply.cookies.find((one) => one.name.endsWith('pillar_session'))!
  const token = String(reply.body.access_token)
  return {
    token,
    secret: cookie.value,
    bearer: { authorization: `Bearer ${token}` },
    cookie: { cookie: `${cookie.name}=${cookie.value}` },
    reply,
  }
}

/** Headers of a person who has just entered the password again for one act on this object, or on something new (null). */
export async function stepUp(
  server: TestServer,
  who: { login: Pick<TestLogin, 'username' | 'password'>; tab: SignedIn },
  action: string,
  object: string | null,
): Promise<Record<string, string>> {
  const { login, tab } = who
  const body = { name: login.username, password: login.password, action, ...(object === null ? {} : { object }) }
  const reply = await server.call<{ grant?: string }>('/api/confirm-enterprise-login', body, tab.bearer)
  return { ...tab.bearer, 'x-step-up-grant': String(reply.body.grant) }
}

/** Runs SQL as the owner of the database, to look past the server and to break things on purpose. */
export async function asOwner<T extends pg.QueryResultRow>(
  server: Pick<TestServer, 'ownerPool'>,
  text: string,
  values: unknown[] = [],
) {
  const client = await server.ownerPool.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    // What it set for its session does not outlive it.
    await client.query('discard all').then(
      () => client.release(),
      () => client.release(true),
    )
  }
}

/** Every row of every table as one text, as in a stolen dump. */
export async function dump(server: TestServer): Promise<string> {
  const tables = await asOwner<{ name: string }>(
    server,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await asOwner<{ row: string }>(server, `select row_to_json(t)::text as row from ${name} t`)
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}

/** The emails stored for an address, newest first. */
export async function mailTo(server: TestServer, email: string): Promise<{ subject: string; text: string }[]> {
  const reply = await server.call<{ messages: { to: string; subject: string; text: string }[] }>('/api/outbox')
  return reply.body.messages.filter((letter) => letter.to === email)
}
