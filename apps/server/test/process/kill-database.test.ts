import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningEmbedded } from '../../src/db/embedded/embedded.ts'
import { DEEP } from '../deep.ts'
import { type RunningPillar, startPillar, temporaryFolder } from '../running-pillar.ts'

const KILLS = DEEP ? 10 : 2
/** Writes per second. */
const RATE = DEEP ? 100 : 20
const SECRET = 'a-secret-of-sixteen-or-more'

let folder: string
let pillar: RunningPillar
beforeAll(async () => {
  folder = await temporaryFolder('kill')
  pillar = await startPillar({
    DATA_DIR: folder,
    LOG_LEVEL: 'fatal',
    PUBLIC_URL: 'http://localhost:3000',
    SMS_GATEWAY: 'http',
    SMS_HTTP_URL: 'http://127.0.0.1:9/?to={to}&text={text}',
    SMS_HTTP_SECRET: SECRET,
    SMS_SENDER: '+61400000000',
  })
})
afterAll(async () => {
  await pillar.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

/** Processes of the embedded database. */
function databaseProcesses(): number[] {
  const home = realpathSync(join(folder, 'postgres'))
  const inside = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === home
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && inside(entry))
    .map(Number)
}

interface Load {
  acknowledged: string[]
  statuses: Set<number>
  slowestMs: number
}

/** Writes at RATE until stopped: patients' texts, stored before the gateway gets its answer. */
function load(name: string): () => Promise<Load> {
  const found: Load = { acknowledged: [], statuses: new Set(), slowestMs: 0 }
  const under = new Set<Promise<void>>()
  let count = 0
  const write = async () => {
    const id = `${name}-${count++}`
    const began = performance.now()
    const query = new URLSearchParams({ secret: SECRET, from: '+61411111111', to: '+61400000000', text: 'yes', id })
    // The server itself never goes away: a broken connection (0) is its fault.
    const ask = fetch(`${pillar.url}/webhooks/sms/http/reply?${query}`, { method: 'POST' })
    const status = await ask.then((answer) => answer.status).catch(() => 0)
    if (status === 200) found.acknowledged.push(id)
    found.statuses.add(status)
    found.slowestMs = Math.max(found.slowestMs, performance.now() - began)
  }
  const timer = setInterval(() => {
    const one = write().finally(() => under.delete(one))
    under.add(one)
  }, 1000 / RATE)
  return async () => {
    clearInterval(timer)
    await Promise.all(under)
    return found
  }
}

/** Milliseconds until /readyz reports ready. @throws Error after `ms` */
async function readyAfter(ms: number): Promise<number> {
  for (const began = performance.now(); ; await pause(50)) {
    const { status } = await fetch(`${pillar.url}/readyz`)
    const took = performance.now() - began
    if (status === 200) return took
    expect(status).toBe(503)
    expect((await fetch(`${pillar.url}/healthz`)).status).toBe(200)
    if (took > ms) throw new Error(`not ready within ${ms} ms`)
  }
}

async function kept(): Promise<Set<string>> {
  const client = new pg.Client({ connectionString: (await runningEmbedded(folder, 'owner'))! })
  // The test ends the server under this client.
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ event_id: string }>('select event_id from gateway_event')
  await client.end()
  return new Set(rows.map(({ event_id }) => event_id))
}

async function expectKept({ acknowledged, statuses, slowestMs }: Load): Promise<void> {
  const all = [...(await kept())]
  expect(acknowledged.length).toBeGreaterThan(RATE)
  expect(acknowledged.filter((id) => !all.some((one) => one.startsWith(`reply-${id}-`)))).toEqual([])
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(slowestMs).toBeLessThan(10_000)
}

describe('the database under load', () => {
  it('is back within 10 s of a kill -9, with every acknowledged write', { timeout: 600_000 }, async () => {
    const stop = load('kill')
    await pause(2000)
    for (let kill = 0; kill < KILLS; kill++) {
      const pid = Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
      process.kill(pid, 'SIGKILL')
      // Until its end is noticed the last answer stays valid.
      await pause(100)
      expect(await readyAfter(10_000)).toBeLessThan(10_000)
      await pause(500)
    }
    await expectKept(await stop())
  })

  it('when frozen delays no request by 10 s, and serves again within 15 s', { timeout: 600_000 }, async () => {
    const stop = load('freeze')
    await pause(1500)
    const frozen = databaseProcesses()
    expect(frozen.length).toBeGreaterThan(5)
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    await pause(DEEP ? 60_000 : 12_000)
    expect((await fetch(`${pillar.url}/readyz`)).status).toBe(503)
    for (const pid of databaseProcesses()) process.kill(pid, 'SIGCONT')
    expect(await readyAfter(15_000)).toBeLessThan(15_000)
    await pause(1500)
    await expectKept(await stop())
  })
})
