import { randomUUID } from 'node:crypto'
import { type Call, FLAGS, type Flag } from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { addStepUp } from '../../src/features/session/step-up.queries.ts'
import { DEEP } from '../deep.ts'
import { asOwner, dump, fresh, makeCompany, makeLocation, makeLogin, signIn } from '../people.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { bringBack, tell } from './bring-back.ts'
import { around, bodyFor, inputSchema, outputSchema, placeOf, requiredOf, undeclared } from './every-call-values.ts'

vi.setConfig({ testTimeout: DEEP ? 3_600_000 : 600_000 })
const json = everyCall.filter(({ call }) => call.body !== 'multipart')
const flagsOf = (call: Call) => FLAGS.filter((flag) => [call.needs].flat().includes(flag))

type Principal = {
  who: string
  flags: readonly Flag[]
  /** Contain the bearer; changed in place when it is renewed. */
  headers: Record<string, string>
  cookie: Record<string, string>
  session: string | null
}
type Place = Awaited<ReturnType<typeof makeLocation>>

let server: TestServer
let anonymous: Principal
let people: Principal[]
let ours: Place
let theirs: Place
/** Words that must never reach us: all the data of the other company. */
let canaries: string[]

beforeAll(async () => {
  server = await startTestServer()
  const company = await makeCompany(server)
  const rival = await makeCompany(server, fresh('Rival'))
  ours = await makeLocation(server, company.id)
  theirs = await makeLocation(server, rival.id, fresh('Secret Pharmacy'))
  canaries = [rival.name, theirs.name]
  anonymous = { who: 'anonymous', flags: [], headers: {}, cookie: {}, session: null }
  const make = async (who: string, flags: readonly Flag[]): Promise<Principal> => {
    const login = await makeLogin(server, company.id, { flags })
    const { bearer, cookie, reply } = await signIn(server, login)
    return { who, flags, headers: bearer, cookie, session: String(reply.body.session_id) }
  }
  people = [await make('flagless', [])]
  for (const flag of FLAGS) people.push(await make(flag, [flag]))
})
afterAll(() => server.close())

let renewedAt = Date.now()
/** Renews everybody's bearer after five minutes, as the portal does: at its deep size a test takes longer than one lasts. */
async function staySignedIn(): Promise<void> {
  if (Date.now() - renewedAt < 300_000) return
  renewedAt = Date.now()
  for (const one of people) {
    const { status, body } = await server.call('/api/refresh', {}, one.cookie)
    expect(status).toBe(200)
    one.headers.authorization = `Bearer ${body.access_token}`
  }
}

/** Who may make a call. */
function holderOf(call: Call): Principal {
  const flags = flagsOf(call)
  return people.find((one) => flags.length === 0 || one.flags.some((flag) => flags.includes(flag)))!
}

/** Headers that pass a call's admission. */
function admitted(call: Call, place = ours): Record<string, string> {
  if (call.needs === 'location-key') return { authorization: `Bearer ${place.key}` }
  return call.needs === 'public' ? {} : holderOf(call).headers
}

/** The headers, and the grant of a password re-entered for just this act, if the call requires one. */
async function withGrant(call: Call, body: unknown, headers: Record<string, string>): Promise<Record<string, string>> {
  const { session } = holderOf(call)
  if (!call.stepUp || !session || headers !== admitted(call)) return headers
  const input = call.input.safeParse(body)
  const action = typeof call.stepUp === 'string' ? call.stepUp : input.success ? call.stepUp(input.data) : 'save'
  const { object } = placeOf(call, body)
  const grant = await server.services.pools.system
    .transaction()
    .execute((tx) => addStepUp(tx, session, action, object, server.services.now()))
  return { ...headers, 'x-step-up-grant': grant }
}

const ask = async (call: Call, body: unknown, headers: Record<string, string>) => {
  const reply = await server.call(placeOf(call, body).path, body, await withGrant(call, body, headers), call.method)
  await bringBack(server, call)
  return reply
}

describe('who may ask (T1)', () => {
  it('only callers named in the contract get in', async () => {
    const wrong: string[] = []
    let asked = 0
    for (const { name, call } of everyCall) {
      const flags = flagsOf(call)
      for (const one of [anonymous, ...people]) {
        const body = call.body === 'multipart' ? {} : bodyFor(call, ours.uuid)
        const { status, body: answer } = await ask(call, body, one.headers)
        asked++
        const allowed = flags.length === 0 || one.flags.some((flag) => flags.includes(flag))
        const expected =
          call.needs === 'public'
            ? status !== 401
            : call.needs === 'location-key' || name === 'session.refresh'
              ? status === 401
              : name === 'session.logout'
                ? status === 200
                : one === anonymous
                  ? status === 401
                  : allowed
                    ? status !== 401 && answer.code !== 'not_allowed'
                    : status === 403 && answer.code === 'not_allowed'
        if (!expected) wrong.push(`${name} for ${one.who}: ${status} ${JSON.stringify(answer)}`)
      }
    }
    expect(wrong).toEqual([])
    expect(asked).toBe(everyCall.length * 10)
  })

  it('invented, foreign and expired tokens are worthless', async () => {
    const login = await makeLogin(server, (await makeCompany(server)).id, { flags: FLAGS })
    const over = await signIn(server, login)
    await server.call('/api/logout', {}, over.cookie)
    const tokens = [over.token, over.secret, 'x', ours.key, `${people[1]!.headers.authorization?.slice(7)}x`]
    for (const { name, call } of json.filter(({ call }) => call.needs === 'signed-in' || flagsOf(call).length > 0)) {
      for (const token of tokens) {
        const { status } = await ask(call, {}, { authorization: `Bearer ${token}` })
        expect([name, status]).toEqual([name, 401])
      }
    }
  })

  it('the server does not start when a route declares no access rule', async () => {
    const app = await buildApp(server.services)
    expect(() => app.post('/api/forgotten', async () => 'open to all')).toThrow('does not say who may use it')
    expect(() => app.get('/forgotten', { config: { needs: 'public' } }, async () => '')).not.toThrow()
    await app.close()
  })
})

/** Support gets an answer for those of the requested pharmacies that exist. */
const LEAVES_OUT = 'etl.queue'

describe('what may be asked', () => {
  it('garbage gets 422 with a body the screens can show', async () => {
    for (const { name, call } of json) {
      const required = requiredOf(call)
      const path = bodyFor(call, ours.uuid) as object
      const bodies: unknown[] = [[], [1], ...required.map((key) => ({ ...path, [key]: [['no such thing']] }))]
      if (required.length > 0) bodies.push({})
      for (const body of bodies) {
        const reply = await ask(call, body, admitted(call))
        expect([name, body, reply.status, reply.body.code]).toEqual([name, body, 422, 'invalid'])
        expect(reply.body.message).toEqual(expect.any(String))
      }
    }
  })

  it('another company’s ids are answered like unknown ids (T2)', async () => {
    const upload = randomUUID()
    await asOwner(
      server,
      `insert into upload (uuid, location_id, etl_state, data_source, notes) values ($1, $2, 'COMPLETED', 'canonical', $3)`,
      [upload, theirs.id, canaries[0]],
    )
    let compared = 0
    const holds = (call: Call) => JSON.stringify(bodyFor(call, theirs.uuid)).includes(theirs.uuid)
    for (const { name, call } of json.filter(({ call }) => holds(call))) {
      // Support reaches the other company too, as its contract says (every-call-reach): for it only an unknown id is foreign.
      const foreigners = call.reach ? [randomUUID()] : [theirs.uuid, theirs.uuid.toUpperCase(), upload]
      for (const foreign of foreigners) {
        const withId = (uuid: string) => ask(call, bodyFor(call, uuid), admitted(call))
        const [real, random] = [await withId(foreign), await withId(randomUUID())]
        expect([name, real.status]).toEqual([name, LEAVES_OUT === name ? 200 : 404])
        expect(JSON.stringify(real.body)).toBe(JSON.stringify(random.body))
        compared++
      }
      // One foreign id among our own spoils the request; it is never quietly left out, unless the specification says so.
      const body = bodyFor(call, ours.uuid) as Record<string, unknown>
      const list = Object.keys(body).find((key) => Array.isArray(body[key]) && typeof body[key][0] === 'string')
      if (list) {
        const mixed = await ask(call, { ...body, [list]: [ours.uuid, foreigners[0]] }, admitted(call))
        expect([name, mixed.status]).toEqual([name, LEAVES_OUT === name ? 200 : 404])
      }
    }
    expect(compared).toBeGreaterThan(15)
  })

  it('the location header is a filter, never authority (T2)', async () => {
    // A support call over all companies shows them all, whatever the header says.
    for (const { call } of json.filter(({ call }) => flagsOf(call).length > 0 && call.reach !== 'platform')) {
      const headers = { location: theirs.uuid, 'x-company-id': '2', 'x-location': String(theirs.id) }
      const reply = await ask(call, bodyFor(call, ours.uuid), { ...admitted(call), ...headers })
      for (const canary of canaries) expect(JSON.stringify(reply.body)).not.toContain(canary)
    }
  })
})

describe('what is let in and out', () => {
  it('undeclared fields are neither stored nor returned (T4)', async () => {
    const canary = `canary${randomUUID().slice(0, 8)}`
    const extra = fc.dictionary(
      fc.oneof(fc.constantFrom(...FLAGS, 'company_id', 'location_id', 'login_id', 'role', 'disabled_at'), fc.string()),
      fc.constantFrom<unknown>(canary, { deep: canary }, [canary], true, 1),
      { minKeys: 1, maxKeys: 6 },
    )
    for (const { name, call } of json) {
      tell('T4', name)
      const declared = Object.keys(inputSchema(call).properties ?? {})
      const fine = bodyFor(call, ours.uuid) as object
      const plain = await ask(call, fine, admitted(call))
      for (const more of fc.sample(extra, DEEP ? 1000 : 8)) {
        const kept = Object.entries(more).filter(
          ([key]) => !declared.includes(key) && !/^__proto__$|^constructor$/.test(key),
        )
        await staySignedIn()
        const reply = await ask(call, { ...Object.fromEntries(kept), ...fine }, admitted(call))
        // The throttle may answer a sign-in differently the second time.
        if (reply.status !== 429)
          expect([name, reply.status]).toEqual([name, plain.status === 429 ? 403 : plain.status])
        expect(JSON.stringify(reply.body)).not.toContain(canary)
        if (reply.status === 200 && call.answer !== 'csv' && call.answer !== 'xlsx') {
          expect([name, undeclared(outputSchema(call), reply.body)]).toEqual([name, []])
        }
      }
    }
    expect(await dump(server)).not.toContain(canary)
  })

  it('no input makes a call fail (T30)', async () => {
    const failures: string[] = []
    for (const { name, call } of json) {
      tell('T30', name)
      const uuids = [ours.uuid, theirs.uuid, randomUUID(), 'not-a-uuid']
      const outside = call.needs === 'public' || call.needs === 'session-cookie'
      const bodies = fc.sample(around(inputSchema(call), uuids), DEEP ? 10_000 : 20)
      for (let start = 0; start < bodies.length; start += 10) {
        await staySignedIn()
        const batch = bodies.slice(start, start + 10)
        const replies = await Promise.all(batch.map((body) => send(call, JSON.stringify(body) ?? 'null')))
        await bringBack(server, call)
        replies.forEach((reply, index) => {
          const text = reply.body
          // 401: nothing was tried, because admission failed.
          const shut = reply.statusCode === 401 && !outside
          if (reply.statusCode >= 500 || shut || /\bat .*\.ts:\d|node_modules/.test(text)) {
            failures.push(`${name} ${reply.statusCode} ${JSON.stringify(batch[index])} → ${text.slice(0, 200)}`)
          }
        })
      }
    }
    expect(failures.slice(0, 5)).toEqual([])
  })

  it('no hostile JSON makes a call fail (T30)', async () => {
    const hurtful = [
      '{"__proto__": {"sr_login": true}}',
      '{"constructor": {"prototype": {"sr_login": true}}}',
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      `{"name": ${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}}`,
      'null',
      '"text"',
      '1e999',
      '{"name": "a", "name": "b"}',
      '{"name": "\\u0000", "password": "\\u0000", "username": "\\u0000"}',
      '{"name": "\\ud800", "password": "\\udfff"}',
      '\u0000',
      '',
    ]
    for (const { name, call } of json) {
      for (const text of hurtful) {
        const reply = await send(call, text)
        expect([name, text.slice(0, 40), reply.statusCode < 500]).toEqual([name, text.slice(0, 40), true])
      }
    }
    expect(({} as Record<string, unknown>).sr_login).toBeUndefined()
  })
})

const send = async (call: Call, payload: string) => {
  let body: unknown = null
  try {
    body = JSON.parse(payload)
  } catch {
    // Not JSON: sent unchanged, to any path.
  }
  return server.app.inject({
    method: call.method ?? 'POST',
    url: placeOf(call, body).path,
    payload,
    headers: { 'content-type': 'application/json', ...(await withGrant(call, body, admitted(call))) },
  })
}
