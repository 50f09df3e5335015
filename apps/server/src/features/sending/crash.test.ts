import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

const WORKER = fileURLToPath(new URL('../../../test/sender-worker.ts', import.meta.url))
/** The most messages in progress per worker: lanes × hand. */
const OPTIONS = {
  lanes: 2,
  hand: 10,
  leaseSeconds: 6,
  idleMs: 20,
  runsMs: 300,
  eventsMs: 300,
  recountMs: 500,
  reconcileMs: 500,
}
const IN_HAND = OPTIONS.lanes * OPTIONS.hand

let server: TestServer
let phones: FakePhones
let service: { url: string; close: () => Promise<void> }
const workers = new Set<ChildProcess>()

beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  service = await phones.listen()
})
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await service.close()
  await server.close()
})

async function startWorker(options = OPTIONS): Promise<ChildProcess> {
  const env = {
    ...process.env,
    DATABASE_URL: server.ownerUrl,
    DATA_DIR: server.services.env.DATA_DIR,
    GATEWAY_URL: service.url,
    SENDER_OPTIONS: JSON.stringify(options),
  }
  const worker = spawn(process.execPath, [WORKER], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  workers.add(worker)
  await once(worker.stdout!, 'data')
  return worker
}

async function end(worker: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number> {
  const began = Date.now()
  worker.kill(signal)
  await once(worker, 'exit')
  workers.delete(worker)
  return Date.now() - began
}

async function bigRun(count: number) {
  const world = await makeMessagingWorld(server, { locations: 3 })
  const patients = []
  for (const { id } of world.locations) patients.push(...(await makePatients(server, id, Math.ceil(count / 3))))
  return makeRun(server, world, { patients: patients.slice(0, count) })
}

/** Waits until the phones have this many messages. */
const sent = (count: number) =>
  expect.poll(() => phones.accepted.size, { timeout: 300_000, interval: 20 }).toBeGreaterThanOrEqual(count)
const settled = async (runId: number) => {
  const states = await statesOf(server, runId)
  return !states.queued && !states.sending && !states.unknown
}

describe('workers that crash', () => {
  it('lose no message and send none twice (T14)', { timeout: 1_200_000 }, async () => {
    const [count, kills] = DEEP ? [20_000, 20] : [600, 3]
    phones.delayMs = 15
    const run = await bigRun(count)
    const first = phones.accepted.size
    let victim = await startWorker()
    const other = await startWorker()
    for (let kill = 1; kill <= kills; kill++) {
      await sent(first + (count * kill) / (kills + 2))
      await end(victim, 'SIGKILL')
      victim = await startWorker()
    }
    await expect.poll(() => settled(run.id), { timeout: 900_000 }).toBe(true)
    expect(await statesOf(server, run.id)).toEqual({ sent: count })
    expect(phones.accepted.size - first).toBe(count)
    expect(phones.repeats).toEqual([])
    expect(phones.asked.size).toBeLessThanOrEqual(kills * IN_HAND)
    await Promise.all([end(victim, 'SIGTERM'), end(other, 'SIGTERM')])
  })

  it('finish messages in progress when told to stop (T15)', { timeout: 1_200_000 }, async () => {
    const [count, stops] = DEEP ? [4_000, 20] : [300, 3]
    phones.delayMs = 40
    phones.asked.clear()
    const run = await bigRun(count)
    const first = phones.accepted.size
    let worker = await startWorker({ ...OPTIONS, leaseSeconds: 60 })
    for (let stop = 1; stop <= stops; stop++) {
      await sent(first + (count * stop) / (stops + 2))
      expect(await end(worker, 'SIGTERM')).toBeLessThan(30_000)
      const states = await statesOf(server, run.id)
      expect(Object.keys(states).filter((state) => state !== 'sent' && state !== 'queued')).toEqual([])
      worker = await startWorker({ ...OPTIONS, leaseSeconds: 60 })
    }
    await expect.poll(() => settled(run.id), { timeout: 300_000 }).toBe(true)
    await end(worker, 'SIGTERM')
    expect(await statesOf(server, run.id)).toEqual({ sent: count })
    expect(phones.asked.size).toBe(0)
    expect(phones.repeats).toEqual([])
  })
})
