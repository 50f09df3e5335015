import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../deep.ts'
import { makeMessagingWorld, makePatients, makeRun, statesOf } from '../messaging.ts'
import { FakePhones } from '../outside/fake-gateway.ts'
import { asOwner, makeCompany, makeLogin, type TestLogin } from '../people.ts'
import { type RunningPillar, startPillar } from '../running-pillar.ts'
import { startTestServer, type TestServer } from '../server.ts'

const SKEW = resolve(import.meta.dirname, 'skewed-clock.ts')
const SENDER = resolve(import.meta.dirname, '../sender-worker.ts')
const [AHEAD, BEHIND] = [10 * 60_000, -10 * 60_000]
const SECRET = 's'.repeat(32)
const MESSAGES = DEEP ? 5_000 : 300

const { path: CREATE, example: CAMPAIGN } = contract.campaign.create

const wrongBy = (ms: number) => ({ NODE_OPTIONS: `--import=${SKEW}`, SKEW_MS: String(ms) })

let server: TestServer
let folder: string
let login: TestLogin
let webs: { ahead: RunningPillar; behind: RunningPillar }
beforeAll(async () => {
  // Its columns are sealed with keys derived from the same secret.
  server = await startTestServer({ env: { SECRET } })
  folder = await mkdtemp(join(tmpdir(), 'pillar-clocks-'))
  login = await makeLogin(server, (await makeCompany(server)).id, { flags: ['data_analytics'] })
  const settings = {
    DATA_DIR: folder,
    DATABASE_URL: server.servingUrl,
    SECRET,
    ROLE: 'web',
    MIGRATE: 'off',
    LOG_LEVEL: 'warn',
    SECOND_FACTOR: 'optional',
  }
  const web = (ms: number) => startPillar({ ...settings, ...wrongBy(ms) })
  webs = { ahead: await web(AHEAD), behind: await web(BEHIND) }
})
afterAll(async () => {
  await Promise.all([webs.ahead.end('SIGTERM'), webs.behind.end('SIGTERM')])
  await rm(folder, { recursive: true, force: true })
  await server.close()
})

async function post(web: RunningPillar, path: string, body: object, token?: string, grant?: string) {
  const answer = await fetch(`${web.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(grant ? { 'x-step-up-grant': grant } : {}),
    },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

describe('two web processes, one machine ten minutes ahead and one ten minutes behind (T27)', () => {
  for (const [first, second] of [
    ['ahead', 'behind'],
    ['behind', 'ahead'],
  ] as const)
    it(`a sign-in and a password entered on the one that is ${first} are valid on the other`, async () => {
      const name = { name: login.username, password: login.password }
      const signedIn = await post(webs[first], '/api/enterprise-login', name)
      expect(signedIn.status).toBe(200)
      const token = String(signedIn.body.access_token)
      for (const web of [webs[first], webs[second]])
        expect((await post(web, '/api/enterprise-init-info', { year: 2026 }, token)).status).toBe(200)
      expect((await post(webs[second], CREATE, CAMPAIGN, token)).status).toBe(403)
      const about = { ...name, action: 'save' }
      const { grant } = (await post(webs[first], '/api/confirm-enterprise-login', about, token)).body
      // The password is accepted; the example's pharmacies do not exist.
      expect((await post(webs[second], CREATE, CAMPAIGN, token, String(grant))).status).toBe(404)
    })

  it('wait for the same time after wrong passwords, wherever the next one is entered', async () => {
    const guess = async (web: RunningPillar) => {
      const { status, headers } = await fetch(`${web.url}/api/enterprise-login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'nobody', password: 'not the password' }),
      })
      return { status, wait: Number(headers.get('retry-after')) }
    }
    for (const [first, second] of [
      [webs.ahead, webs.behind],
      [webs.behind, webs.ahead],
    ] as const) {
      await asOwner(server, 'truncate throttle')
      for (let attempt = 0; attempt < 5; attempt++) expect((await guess(first)).status).toBe(403)
      // As after many more: the next one makes everybody wait for a quarter of an hour.
      await asOwner(server, `update throttle set points = 30 where key like 'late:%'`)
      await asOwner(server, `delete from throttle where key like 'turn:%'`)
      expect((await guess(first)).status).toBe(403)
      const next = await guess(second)
      expect(next.status).toBe(429)
      expect(next.wait).toBeGreaterThan(600)
      expect(next.wait).toBeLessThanOrEqual(902)
    }
    await asOwner(server, 'truncate throttle')
  })

  it('each reports how wrong its clock is', () => {
    expect(webs.ahead.output()).toContain("This machine's clock is 600 seconds ahead of the database's.")
    expect(webs.behind.output()).toContain("This machine's clock is 600 seconds behind the database's.")
  })
})

describe('two senders, one machine ten minutes ahead and one ten minutes behind (T27)', () => {
  it('send each message once, and nothing that is not due', { timeout: 900_000 }, async () => {
    const phones = new FakePhones()
    phones.delayMs = 15
    const service = await phones.listen()
    const world = await makeMessagingWorld(server)
    const people = await makePatients(server, world.locations[0]!.id, MESSAGES)
    const run = await makeRun(server, world, { patients: people })
    const later = await makeRun(server, world, {
      patients: await makePatients(server, world.locations[0]!.id, 3),
      startsAt: new Date(Date.now() + 5 * 60_000),
    })
    const senders = [AHEAD, BEHIND].map((ms) => startSender(service.url, ms))
    try {
      for (let tries = 0; tries < 3_000 && (await statesOf(server, run.id)).sent !== MESSAGES; tries++) await pause(200)
      expect(await statesOf(server, run.id)).toEqual({ sent: MESSAGES })
      expect([phones.accepted.size, phones.repeats]).toEqual([MESSAGES, []])
      expect(await statesOf(server, later.id)).toEqual({ queued: 3 })
    } finally {
      for (const sender of senders) sender.kill('SIGTERM')
      await Promise.all(senders.map((sender) => once(sender, 'exit')))
      await service.close()
    }
  })
})

function startSender(gateway: string, ms: number): ChildProcess {
  const options = { lanes: 2, hand: 10, leaseSeconds: 6, idleMs: 20, runsMs: 300, eventsMs: 300, recountMs: 500 }
  const env = {
    ...{ ...process.env, ...wrongBy(ms), DATABASE_URL: server.ownerUrl, GATEWAY_URL: gateway, SECRET },
    SENDER_OPTIONS: JSON.stringify({ ...options, reconcileMs: 500 }),
  }
  return spawn(process.execPath, [SENDER], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}
