import { Writable } from 'node:stream'
import { type Call, Refusal } from '@pillar/contract'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detailOf } from '../../src/api/audit.ts'
import { mountCall } from '../../src/api/call/mount.ts'
import { type Context, enterOf, staffTx, tenantTx } from '../../src/api/context.ts'
import { buildApp } from '../../src/app.ts'
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
} from '../people.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { bodyFor, placeOf } from './every-call-values.ts'
import { addPatient, anything, isNew, patientsSeen, support, trials } from './reach-trials.ts'

let server: TestServer
let app: FastifyInstance
let login: TestLogin
let tab: SignedIn
let own: Awaited<ReturnType<typeof makeCompany>>
let asked: Awaited<ReturnType<typeof makeCompany>>
let other: Awaited<ReturnType<typeof makeCompany>>
let place: Awaited<ReturnType<typeof makeLocation>>
let probe: (input: never, context: Context) => Promise<unknown>
const lines: string[] = []

beforeAll(async () => {
  server = await startTestServer()
  own = await makeCompany(server)
  asked = await makeCompany(server)
  other = await makeCompany(server)
  for (const company of [own, asked, other]) {
    place = await makeLocation(server, company.id)
    await addPatient(server, place.id, `Patient of ${company.name}`)
  }
  place = await makeLocation(server, asked.id)
  await addPatient(server, place.id, 'Patient of one pharmacy')
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
    mountCall(app, name, { ...call, path: `/probe${call.path}`, output: anything, answer: 'json' }, handler, services)
  }
  for (const [name, call] of Object.entries(trials))
    mountCall(app, `trial.${name}`, call as unknown as Call, handler, services)
})
afterAll(async () => {
  await app.close()
  await server.close()
})

const ask = (path: string, body: object, headers: Record<string, string>, method: 'POST' | 'DELETE' = 'POST') =>
  app.inject({ method, url: path, ...(method === 'POST' ? { payload: body } : {}), headers })

/** Acts in place of a call's handler, entering the password again if the call requires it. */
async function askSupport({ call }: { call: Call }, uuid: string) {
  const body = bodyFor(call, uuid) as object
  const { path, object } = placeOf(call, body)
  const input = call.input.safeParse(body)
  const action = typeof call.stepUp === 'function' && input.success ? call.stepUp(input.data) : String(call.stepUp)
  const headers = call.stepUp ? await stepUp(server, { login, tab }, action, object) : tab.bearer
  return ask(`/probe${path}`, body, headers, call.method)
}

describe('a support call over all companies', () => {
  it('cannot read a patient, because the database refuses', async () => {
    for (const one of support.filter(({ call }) => call.reach === 'platform' || call.reach === 'companies')) {
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

const logOf = (company: { id: number }) =>
  asOwner(
    server,
    'select login_id, action, object, detail from audit where company_id = $1 and login_id = $2 order by id',
    [company.id, login.id],
  )

describe('a support call in one company after another', () => {
  const many = () => support.find(({ call }) => call.reach === 'companies')!

  it('sees one company at a time, commits each by itself, and writes a row to the log of each that was not refused', async () => {
    const [before, beforeOther] = [(await logOf(asked)).length, (await logOf(other)).length]
    const seen: string[][] = []
    probe = async (_input, context) => {
      const enter = enterOf(context)
      await enter(asked.uuid, 'the object', async (inside) => {
        expect(() => staffTx(inside)).toThrow('no platform transaction')
        expect(() => enterOf(inside)).toThrow('enters no company')
        seen.push(await patientsSeen(tenantTx(inside)))
        await tenantTx(inside).updateTable('patient').set({ last_name: 'Changed' }).execute()
      })
      await expect(
        enter(other.uuid, 'refused', async (inside) => {
          seen.push(await patientsSeen(tenantTx(inside)))
          await tenantTx(inside).updateTable('patient').set({ last_name: 'Changed' }).execute()
          throw new Refusal('conflict', 'No.')
        }),
      ).rejects.toThrow('No.')
      await expect(enter(login.uuid, 'nowhere', async () => {})).rejects.toThrow('That company was not found.')
      return {}
    }
    expect((await askSupport(many(), asked.uuid)).statusCode).toBe(200)
    expect(seen.map((names) => names.sort())).toEqual([
      ['Patient of one pharmacy', `Patient of ${asked.name}`].sort(),
      [`Patient of ${other.name}`],
    ])
    const changed = await asOwner<{ first_name: string }>(
      server,
      `select first_name from patient where last_name = 'Changed'`,
    )
    expect(changed.map((row) => row.first_name)).not.toContain(`Patient of ${other.name}`)
    expect(changed).toHaveLength(2)
    expect((await logOf(asked)).slice(before)).toEqual([
      { login_id: login.id, action: many().name, object: 'the object', detail: expect.anything() },
    ])
    expect((await logOf(other)).length).toBe(beforeOther)
  })

  it('is the only kind that can do so', async () => {
    const { call } = support.find(({ name }) => name === 'company.list')!
    probe = async (_input, context) => enterOf(context)(asked.uuid, 'x', async () => ({}))
    expect((await askSupport({ call }, own.uuid)).statusCode).toBe(500)
  })
})

describe('a support call in one company', () => {
  it('reads only that company, and writes a row to its log', async () => {
    const inOne = support.filter(({ call }) => typeof call.reach === 'object' && 'company' in call.reach)
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
      expect([one.name, seen.sort()]).toEqual([
        one.name,
        ['Patient of one pharmacy', `Patient of ${asked.name}`].sort(),
      ])
      expect((await logOf(asked)).slice(before)).toEqual([
        // For a new object, the row names what the answer says was created, and this one created nothing.
        {
          login_id: login.id,
          action: one.name,
          object: isNew(one.call) ? null : asked.uuid,
          detail: expect.objectContaining(detailOf(one.call, {})),
        },
      ])
    }
    expect(await logOf(other)).toEqual([])
  })

  it('cannot write if it only reads, and records why patients were looked at', async () => {
    const look = (reason: string) => ask(`/probe/company/${asked.uuid}/patients`, { reason }, tab.bearer)
    const before = (await logOf(asked)).length
    probe = async (_input, context) => ({ names: await patientsSeen(tenantTx(context)) })
    expect((await look('Ticket 81: a text went to the wrong number')).json()).toEqual({
      names: expect.arrayContaining(['Patient of one pharmacy', `Patient of ${asked.name}`]),
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

describe('a support call in one pharmacy', () => {
  const look = (id: string, reason = 'Ticket 82') => ask(`/probe/location/${id}/patients`, { reason }, tab.bearer)

  it('reads only that pharmacy, and writes a row with the reason to its company’s log', async () => {
    const before = (await logOf(asked)).length
    probe = async (_input, context) => {
      expect(() => staffTx(context)).toThrow('no platform transaction')
      expect(context.caller).toMatchObject({ companyId: asked.id, scope: { locationIds: [place.id] } })
      return { names: await patientsSeen(tenantTx(context)) }
    }
    expect((await look(place.uuid)).json()).toEqual({ names: ['Patient of one pharmacy'] })
    expect((await logOf(asked)).slice(before)).toEqual([
      { login_id: login.id, action: 'trial.lookInOne', object: place.uuid, detail: { reason: 'Ticket 82' } },
    ])
    expect(await logOf(other)).toEqual([])
  })

  it('does so for each call declared so', async () => {
    for (const one of support.filter(({ call }) => typeof call.reach === 'object' && 'location' in call.reach)) {
      const before = (await logOf(asked)).length
      let seen: string[] = []
      probe = async (_input, context) => {
        seen = await patientsSeen(tenantTx(context))
        return {}
      }
      expect([one.name, (await askSupport(one, place.uuid)).statusCode]).toEqual([one.name, 200])
      expect([one.name, seen]).toEqual([one.name, ['Patient of one pharmacy']])
      expect((await logOf(asked)).slice(before)).toMatchObject([{ login_id: login.id, action: one.name }])
    }
  })

  it('is not found where there is no such pharmacy, or it or its company is removed', async () => {
    probe = async () => ({})
    const expectNotFound = async (id: string) => {
      const reply = await look(id)
      expect([reply.statusCode, reply.json().message]).toEqual([404, 'That pharmacy was not found.'])
    }
    await expectNotFound(asked.uuid)
    for (const [table, id] of [
      ['location', place.id],
      ['company', asked.id],
    ]) {
      await asOwner(server, `update ${table} set removed_at = now() where id = $1`, [id])
      await expectNotFound(place.uuid)
      await asOwner(server, `update ${table} set removed_at = null where id = $1`, [id])
    }
    expect((await look(place.uuid)).statusCode).toBe(200)
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
