import { type Call, FLAGS } from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Context } from '../../src/api/context.ts'
import { asOwner, makeCompany, makeLocation, makeLogin, type SignedIn, signIn, type TestLogin } from '../people.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { bodyFor, placeOf } from './every-call-values.ts'

/** The result in each call's own transaction of an attempt to write. */
const attempts = vi.hoisted(() => new Map<string, string>())

// Test files share loaded modules: this one reloads them around its mock.
vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())
vi.mock('../../src/features/index.ts', async (original) => {
  const real = await original<typeof import('../../src/features/index.ts')>()
  const trying = (name: string, handler: (input: unknown, context: Context) => unknown) => {
    return async (input: unknown, context: Context) => {
      const tx = context.tx ?? context.staff
      if (attempts.get(name) !== 'asked' || !tx) return handler(input, context)
      const written = await sql`update location set name = name || '!'`.execute(tx).then(
        () => 'written',
        (error: { code?: string }) => error.code ?? 'failed',
      )
      attempts.set(name, written)
      throw new Error('tried')
    }
  }
  const handlers = Object.fromEntries(
    Object.entries(real.handlers).map(([group, members]) => [
      group,
      Object.fromEntries(
        Object.entries(members).map(([name, handler]) => [name, trying(`${group}.${name}`, handler as never)]),
      ),
    ]),
  )
  return { ...real, handlers }
})

/** Reads with a stated reason to write: working tables, an audit row or a job. Nothing else may. */
const SCRATCH = [
  // It calls the analytics server, so it opens separate short transactions.
  'board.token',
  ...['campaign.cohort', 'campaign.cohortCsv', 'campaign.recommendations', 'campaign.runCsv'],
  ...['audit.csv', 'campaignAdmin.forecast', 'etl.faultyCsv'],
  // Records who took a file of figures.
  ...['financialReport.pdf', 'financials.tableCsv', 'financials.tableXlsx', 'attribution.statsCsv'],
  ...['companySixtyDay.categoriesExport', 'guildSixtyDay.categoriesExport'],
  ...['financials.adherenceDetail', 'inbound.replies', 'template.preview'],
  ...['referral.export', 'referral.history', 'referral.list'],
  // A register shows patients, so its readers are recorded.
  ...['s8.contradiction', 's8.drugRegister', 's8.drugRegisterCsv', 's8.page', 's8.productsCsv'],
]

let server: TestServer
let login: TestLogin
let tab: SignedIn
let company: Awaited<ReturnType<typeof makeCompany>>
let place: Awaited<ReturnType<typeof makeLocation>>

beforeAll(async () => {
  server = await startTestServer()
  company = await makeCompany(server)
  place = await makeLocation(server, company.id)
  login = await makeLogin(server, company.id, { flags: FLAGS })
  tab = await signIn(server, login)
})
afterAll(() => server.close())

/** The subject of a call: a company if it reaches one, otherwise a pharmacy. */
const aboutOf = (call: Call) => (typeof call.reach === 'object' && 'company' in call.reach ? company : place).uuid
const ask = (call: Call, headers: Record<string, string>) => {
  const body = bodyFor(call, aboutOf(call)) as object
  return server.call(placeOf(call, body).path, body, headers, call.method)
}

describe('a read', () => {
  const reads = everyCall.filter(
    ({ call }) => call.kind === 'read' && [call.needs].flat().some((one) => FLAGS.includes(one as never)),
  )

  it('cannot write, except the listed ones with a reason', async () => {
    for (const { name, call } of reads) {
      attempts.set(name, 'asked')
      await ask(call, tab.bearer)
    }
    const readOnly = '25006'
    const open = [...attempts].filter(([, outcome]) => outcome !== readOnly).map(([name]) => name)
    expect(open.sort()).toEqual(
      everyCall
        .filter(({ call }) => call.scratch)
        .map(({ name }) => name)
        .sort(),
    )
    expect(open.filter((name) => !SCRATCH.includes(name))).toEqual([])
    expect(attempts.size).toBeGreaterThan(15)
    expect(await asOwner(server, `select 1 from location where name like '%!'`)).toEqual([])
    attempts.clear()
  })
})

describe('a disabled login', () => {
  it('loses its bearer and cookie at once, however it was disabled', async () => {
    const gone = await makeLogin(server, (await makeCompany(server)).id, { flags: FLAGS })
    const open = await signIn(server, gone)
    expect((await server.call('/api/get-pharmacies', {}, open.bearer)).status).toBe(200)
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [gone.id])
    for (const { name, call } of everyCall.filter(
      ({ call }) => !['public', 'location-key', 'session-cookie'].includes(String(call.needs)),
    )) {
      const reply = await ask(call, open.bearer)
      expect([name, reply.status, reply.body.code]).toEqual([name, 401, 'session_expired'])
    }
    expect((await server.call('/api/refresh', {}, open.cookie)).status).toBe(401)
    const body = { name: gone.username, password: gone.password }
    expect((await server.call('/api/enterprise-login', body)).status).toBe(403)
  })
})

describe('a removed pharmacy', () => {
  it('cannot upload or query with its key', async () => {
    const bearer = { authorization: `Bearer ${place.key}` }
    const keyed = everyCall.filter(({ call }) => call.needs === 'location-key')
    const body = () => {
      const form = new FormData()
      form.append('script', new Blob(['source_id\n']), 'script.csv')
      return form
    }
    const send = async (call: Call) => {
      if (call.body !== 'multipart') return ask(call, bearer)
      const sent = new Response(body())
      const payload = Buffer.from(await sent.arrayBuffer())
      const headers = { ...bearer, 'content-type': sent.headers.get('content-type')! }
      const answer = await server.app.inject({ method: 'POST', url: call.path, payload, headers })
      return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
    }
    for (const { name, call } of keyed) expect([name, (await send(call)).status]).not.toEqual([name, 401])
    const before = await asOwner(server, 'select uuid, etl_state from upload order by id')
    await asOwner(server, 'update location set removed_at = now() where id = $1', [place.id])
    for (const { name, call } of keyed) {
      const reply = await send(call)
      expect([name, reply.status, reply.body.message]).toEqual([
        name,
        401,
        'This location key is not known. Check the key of the pharmacy.',
      ])
    }
    expect(await asOwner(server, 'select uuid, etl_state from upload order by id')).toEqual(before)
  })
})
