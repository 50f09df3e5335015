import { Writable } from 'node:stream'
import { type Call, contract, read, write } from '@pillar/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { mountCall } from '../src/api/call/mount.ts'
import { type Context, staffTx, tenantTx } from '../src/api/context.ts'
import { buildApp } from '../src/app.ts'
import type { Tx } from '../src/db/database.ts'
import { bodyFor, placeOf } from './every-call/every-call-values.ts'
import {
  asOwner,
  dump,
  makeCompany,
  makeLocation,
  makeLogin,
  type SignedIn,
  signIn,
  stepUp,
  type TestLogin,
} from './people.ts'
import { startTestServer, type TestServer } from './server.ts'

const anything = z.looseObject({})
const support = Object.entries(contract).flatMap(([group, members]) =>
  (Object.entries(members) as [string, Call][])
    .filter(([, call]) => call.reach !== undefined)
    .map(([name, call]) => ({ name: `${group}.${name}`, call })),
)
/** All that the role of the console may read; a new table is not among them by itself. */
const SEEN = [
  ...[
    'campaign',
    'campaign_location',
    'campaign_recommendation',
    'campaign_recommendation_template',
    'campaign_template',
  ],
  ...['company', 'follow_up', 'location', 'location_module', 'login', 'login_location', 'message_batch', 'message_run'],
  ...[
    'module',
    'sequence',
    'sequence_event',
    'sequence_recommendation',
    'sequence_recommendation_template',
    'template',
  ],
  ...['template_recommendation', 'upload'],
]

let server: TestServer
let app: FastifyInstance
let login: TestLogin
let tab: SignedIn
let own: Awaited<ReturnType<typeof makeCompany>>
let asked: Awaited<ReturnType<typeof makeCompany>>
let other: Awaited<ReturnType<typeof makeCompany>>
/** What the probe in place of a handler does, and what it found. */
let probe: (input: never, context: Context) => Promise<unknown>
const lines: string[] = []

const addPatient = (locationId: number, name: string) =>
  asOwner(
    server,
    `insert into patient (location_id, source, source_id, first_name) values ($1, 'canonical', '1', $2)`,
    [locationId, name],
  )

beforeAll(async () => {
  server = await startTestServer()
  own = await makeCompany(server)
  asked = await makeCompany(server)
  other = await makeCompany(server)
  for (const company of [own, asked, other]) {
    await addPatient((await makeLocation(server, company.id)).id, `Patient of ${company.name}`)
  }
  login = await makeLogin(server, own.id, { flags: ['sr_login', 'data_analytics'] })
  tab = await signIn(server, login)
  const kept = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line))
      done()
    },
  })
  const log = pino({ level: 'trace' }, kept)
  const services = { ...server.services, log }
  app = await buildApp(services)
  const handler = (input: unknown, context: Context) => probe(input as never, context)
  for (const { name, call } of support) {
    mountCall(app, name, { ...call, path: `/probe${call.path}`, output: anything }, handler, services)
  }
  for (const [name, call] of Object.entries(trials))
    mountCall(app, `trial.${name}`, call as unknown as Call, handler, services)
})
afterAll(async () => {
  await app.close()
  await server.close()
})

/** Calls that the contract does not have yet, to try what they would do. */
const trials = {
  look: read({
    path: '/probe/company/{id}/patients',
    needs: 'sr_login',
    reach: { company: (input: { id: string }) => input.id, reason: (input: { reason: string }) => input.reason },
    about: 'Patients of one company.',
    example: { id: 'x', reason: 'x' },
    input: z.object({ id: z.uuid(), reason: z.string() }),
    output: anything,
  }),
  unlink: write({
    method: 'DELETE',
    path: '/probe/key/{key}/module/{module}',
    needs: 'sr_login',
    reach: 'platform',
    secret: ['key'],
    stepUp: 'delete',
    about: 'Removes a module of a pharmacy.',
    example: { key: 'x', module: 'x' },
    input: z.object({ key: z.string(), module: z.string() }),
    output: anything,
  }),
}

const ask = (path: string, body: object, headers: Record<string, string>, method: 'POST' | 'DELETE' = 'POST') =>
  app.inject({ method, url: path, ...(method === 'POST' ? { payload: body } : {}), headers })

/** Asks in place of a call's handler, with the password entered again where the call wants that. */
async function askSupport({ call }: { call: Call }, uuid: string) {
  const body = bodyFor(call, uuid) as object
  const { path, object } = placeOf(call, body)
  const input = call.input.safeParse(body)
  const action = typeof call.stepUp === 'function' && input.success ? call.stepUp(input.data) : String(call.stepUp)
  const headers = call.stepUp ? await stepUp(server, { login, tab }, action, object) : tab.bearer
  return ask(`/probe${path}`, body, headers, call.method)
}

const patientsSeen = async (tx: Tx) =>
  (await sql<{ name: string }>`select first_name as name from patient`.execute(tx)).rows.map((row) => row.name)

describe('a support call over all companies', () => {
  it('cannot read a patient, because the database refuses', async () => {
    for (const one of support.filter(({ call }) => call.reach === 'platform')) {
      let said = ''
      probe = async (_input, context) => {
        expect(() => tenantTx(context)).toThrow('no tenant transaction')
        await patientsSeen(staffTx(context)).catch((error: Error) => {
          said = error.message
          throw error
        })
      }
      const { statusCode } = await askSupport(one, asked.uuid)
      expect([one.name, statusCode, said]).toEqual([one.name, 500, 'permission denied for table patient'])
    }
  })

  it('reads only these tables, without secrets or message texts', async () => {
    const readable = await asOwner<{ name: string }>(
      server,
      `select distinct table_name as name from information_schema.column_privileges
       where grantee = 'pillar_staff' and privilege_type = 'SELECT' and table_schema = 'public' order by 1`,
    )
    expect(readable.map((row) => row.name)).toEqual(SEEN)
    const columns = ['login.password_hash', 'location.key_hash', 'message_batch.body', 'message_batch.subject']
    for (const column of columns) {
      const [table, name] = column.split('.')
      const [row] = await asOwner(server, `select has_column_privilege('pillar_staff', $1, $2, 'select') as may`, [
        table,
        name,
      ])
      expect([column, row?.may]).toEqual([column, false])
    }
  })

  it('does not open the support person’s own company', async () => {
    const { call } = support.find(({ name }) => name === 'company.list')!
    let scope: unknown
    probe = async (_input, context) => {
      scope = context.caller?.scope
      expect(context.tx).toBe(null)
      return {}
    }
    await askSupport({ call }, own.uuid)
    expect(scope).toEqual({ companyId: 0, locationIds: [] })
  })
})

describe('a support call in one company', () => {
  const logOf = (company: { id: number }) =>
    asOwner(
      server,
      'select login_id, action, object, detail from audit where company_id = $1 and login_id = $2 order by id',
      [company.id, login.id],
    )

  it('reads only that company, and writes a row to its log', async () => {
    const inOne = support.filter(({ call }) => typeof call.reach === 'object')
    expect(inOne.length).toBeGreaterThan(0)
    for (const one of inOne) {
      const before = (await logOf(asked)).length
      let seen: string[] = []
      probe = async (_input, context) => {
        expect(() => staffTx(context)).toThrow('no platform transaction')
        seen = await patientsSeen(tenantTx(context))
        return {}
      }
      expect([one.name, (await askSupport(one, asked.uuid)).statusCode]).toEqual([one.name, 200])
      expect([one.name, seen]).toEqual([one.name, [`Patient of ${asked.name}`]])
      expect((await logOf(asked)).slice(before)).toEqual([
        { login_id: login.id, action: one.name, object: asked.uuid, detail: {} },
      ])
    }
    expect(await logOf(other)).toEqual([])
  })

  it('cannot write where it only reads, and says why patients were looked at', async () => {
    const look = (reason: string) => ask(`/probe/company/${asked.uuid}/patients`, { reason }, tab.bearer)
    const before = (await logOf(asked)).length
    probe = async (_input, context) => ({ names: await patientsSeen(tenantTx(context)) })
    expect((await look('Ticket 81: a text went to the wrong number')).json()).toEqual({
      names: [`Patient of ${asked.name}`],
    })
    expect((await logOf(asked)).slice(before)).toMatchObject([
      { action: 'trial.look', detail: { reason: 'Ticket 81: a text went to the wrong number' } },
    ])
    probe = async (_input, context) => tenantTx(context).deleteFrom('patient').execute()
    expect((await look('to delete')).statusCode).toBe(500)
    expect((await logOf(asked)).length).toBe(before + 1)
  })

  it('is not found where there is no such company', async () => {
    probe = async () => ({})
    const reply = await ask(`/probe/company/${login.uuid}/patients`, { reason: 'x' }, tab.bearer)
    expect([reply.statusCode, reply.json().message]).toEqual([404, 'That company was not found.'])
    await asOwner(server, 'update company set removed_at = now() where id = $1', [other.id])
    expect((await ask(`/probe/company/${other.uuid}/patients`, { reason: 'x' }, tab.bearer)).statusCode).toBe(404)
    await asOwner(server, 'update company set removed_at = null where id = $1', [other.id])
  })
})

describe('a call with a secret in its path', () => {
  const KEY = 'kN8secretkeyofapharmacy'
  const remove = async (headers: Record<string, string>) => ask(`/probe/key/${KEY}/module/m1`, {}, headers, 'DELETE')

  it('is a DELETE without a body, and leaves the secret in no log and no audit', async () => {
    probe = async () => ({})
    const reply = await remove(await stepUp(server, { login, tab }, 'delete', 'm1'))
    expect([reply.statusCode, reply.body]).toEqual([200, '{}'])
    expect(await asOwner(server, `select object from audit where action = 'trial.unlink'`)).toEqual([{ object: 'm1' }])
    probe = async ({ key }: { key: string }) => {
      throw new Error(`could not find ${key}`)
    }
    expect((await remove(await stepUp(server, { login, tab }, 'delete', 'm1'))).statusCode).toBe(500)
    expect(lines.join('\n')).toContain('could not find [redacted]')
    expect(lines.join('\n')).not.toContain(KEY)
    expect(await dump(server)).not.toContain(KEY)
  })

  it('uses up step-up only when the write succeeds', async () => {
    const headers = await stepUp(server, { login, tab }, 'delete', 'm1')
    probe = async () => {
      throw new Error('broke')
    }
    expect((await remove(headers)).statusCode).toBe(500)
    probe = async () => ({})
    expect((await remove(headers)).statusCode).toBe(200)
    expect((await remove(headers)).json()).toMatchObject({ code: 'step_up_needed' })
  })
})
