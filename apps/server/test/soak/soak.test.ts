import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../deep.ts'
import { asOwner } from '../people.ts'
import { type RunningPillar, startPillar } from '../running-pillar.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { type Held, heldIn } from './held.ts'
import { type Load, sendRecords, soak, WEBHOOK_SECRET } from './soak-load.ts'
import { makeSoakWorld, type SoakWorld } from './soak-world.ts'
import { inBlocks, median, type Trend, trendOf } from './trend.ts'

const MINUTE_MS = 60_000
/** With several PostgreSQLs on one machine, fewer requests and uploads complete in the same time. */
const SLOWER = process.env.CITUS_URL ? 5 : 1
/** SOAK_MINUTES=480 before the deep form is the planned test of eight hours. A fifth is warm-up. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 30)
const { LASTS_MS, WARM_UP_MS, BLOCK_MS, TELL_MS, LEAK_BYTES } = DEEP
  ? {
      LASTS_MS: MINUTES * MINUTE_MS,
      WARM_UP_MS: 0.2 * MINUTES * MINUTE_MS,
      BLOCK_MS: MINUTE_MS,
      TELL_MS: 10_000,
      LEAK_BYTES: 256,
    }
  : {
      LASTS_MS: 24_000 * SLOWER,
      WARM_UP_MS: 8_000 * SLOWER,
      BLOCK_MS: 1_000 * SLOWER,
      TELL_MS: 500,
      LEAK_BYTES: 65_536,
    }
const RATES = DEEP
  ? { perSecond: 50, uploadEveryMs: 20_000, signInEveryMs: 300_000 }
  : { perSecond: 50, uploadEveryMs: 3_000, signInEveryMs: 7_000 }
/** For the leaking process beside it: no uploads. */
const LEAKING = { ...RATES, perSecond: 10, uploadEveryMs: 24 * 60 * MINUTE_MS }
/** As a share of all requests. */
const MOST_FAULTS = DEEP ? 0.0001 : 0
/** Per hour, as a share of the initial value. A run of seconds shows only gross leaks. */
const MOST_GROWTH = DEEP ? 0.01 : 6
/** The variation of open files, timers and connections through housekeeping. */
const FEW = 4
const SECRET = 's'.repeat(32)

let server: TestServer
let folder: string
let world: SoakWorld
let sound: RunningPillar
let leaking: RunningPillar
beforeAll(async () => {
  server = await startTestServer({ env: { SECRET } })
  folder = await mkdtemp(join(tmpdir(), 'pillar-soak-'))
  world = await makeSoakWorld(server)
  const settings = {
    ...{ DATA_DIR: folder, DATABASE_URL: server.servingUrl, SECRET, MIGRATE: 'off', LOG_LEVEL: 'fatal' },
    ...{ SECOND_FACTOR: 'optional', UPLOAD_DAY_COUNT: '10000', PUBLIC_URL: 'http://localhost:3000' },
    ...{ SMS_GATEWAY: 'http', SMS_HTTP_URL: 'http://127.0.0.1:9/?to={to}&text={text}', SMS_SENDER: '+61400000000' },
    ...{ SMS_HTTP_SECRET: WEBHOOK_SECRET, TELL_MS: String(TELL_MS) },
    NODE_OPTIONS: `--import=${resolve(import.meta.dirname, 'told-memory.ts')}`,
  }
  sound = await startPillar(settings)
  leaking = await startPillar({ ...settings, ROLE: 'web', LEAK_BYTES: String(LEAK_BYTES) })
  await sendRecords(sound.url, world)
}, 300_000)
afterAll(async () => {
  await Promise.all([sound?.end('SIGTERM'), leaking?.end('SIGTERM')])
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** What a process held after warm-up. */
const warm = (pillar: RunningPillar, began: number) =>
  heldIn(pillar.output()).filter(({ at }) => at > began + WARM_UP_MS && at < began + LASTS_MS)

/** The growth of one of these per hour, as a share of its initial value. */
function growth(all: readonly Held[], of: 'living' | 'resident'): Trend {
  const points = inBlocks(
    all.map((held) => ({ at: held.at, value: held[of] })),
    BLOCK_MS,
  )
  const { slope, low, high } = trendOf(points)
  const anHour = (60 * MINUTE_MS) / median(points.map(({ value }) => value))
  return { slope: slope * anHour, low: low * anHour, high: high * anHour }
}

/** The median count in the first third. */
const atFirst = (values: readonly number[]): number => median(values.slice(0, Math.floor(values.length / 3)))

/** How many connections to the database are open. */
async function connected(): Promise<number> {
  const text = 'select count(*)::int as open from pg_stat_activity where datname = current_database()'
  const [row] = await asOwner<{ open: number }>(server, text)
  return row!.open
}

describe(`steady load for ${LASTS_MS / MINUTE_MS} minutes (T29)`, () => {
  let began: number
  let load: Load
  const connections: number[] = []
  beforeAll(async () => {
    began = Date.now()
    const until = pause(LASTS_MS)
    const counting = setInterval(async () => {
      const open = await connected().catch(() => 0)
      if (open > 0 && Date.now() > began + WARM_UP_MS) connections.push(open)
    }, TELL_MS)
    const both = [soak(sound.url, world, RATES, until), soak(leaking.url, world, LEAKING, until)] as const
    ;[load] = await Promise.all(both).finally(() => clearInterval(counting))
    if (DEEP) process.stderr.write(`${told()}\n`)
  }, LASTS_MS + 300_000)

  /** The measurements, for the table in docs/trust-tests.md. */
  function told(): string {
    const all = { sound: warm(sound, began), leaking: warm(leaking, began) }
    const ms = load.ms.toSorted((a, b) => a - b)
    return JSON.stringify({
      ...{ asked: load.asked, faults: load.faults, uploads: load.uploads },
      ...{ p50: ms[Math.floor(ms.length / 2)], p99: ms[Math.floor(ms.length * 0.99)] },
      ...{ living: growth(all.sound, 'living'), resident: growth(all.sound, 'resident') },
      leaking: { living: growth(all.leaking, 'living'), resident: growth(all.leaking, 'resident') },
      held: [all.sound[0], all.sound.at(-1), all.leaking[0], all.leaking.at(-1)],
      connections: [atFirst(connections), Math.max(...connections)],
    })
  }

  it('is answered', () => {
    expect(load.asked).toBeGreaterThan(LASTS_MS / 1000)
    expect(load.uploads).toBeGreaterThan(1)
    const most = Math.floor(load.asked * MOST_FAULTS)
    expect(load.faults.slice(most)).toEqual([])
  })

  it.each(['living', 'resident'] as const)('is not shown to make %s memory grow', (of) => {
    expect(growth(warm(sound, began), of).low).toBeLessThan(MOST_GROWTH)
  })

  it('would be found to leak if it did, like a process beside it that keeps a little of every request', () => {
    expect(growth(warm(leaking, began), 'living').low).toBeGreaterThan(MOST_GROWTH)
  })

  it('leaves no more files, sockets, timers and connections to the database open than before, once it is over', async () => {
    // Meanwhile a busy machine has more requests and jobs in progress, each with its own timers.
    const patience = { timeout: 60_000, interval: TELL_MS }
    const last = (pillar: RunningPillar) => heldIn(pillar.output()).at(-1)!
    for (const what of ['files', 'timers'] as const) {
      const before = atFirst(warm(sound, began).map((held) => held[what]))
      await expect.poll(() => last(sound)[what], patience).toBeLessThanOrEqual(before + FEW)
    }
    await expect.poll(connected, patience).toBeLessThanOrEqual(atFirst(connections) + FEW)
    // The leaking process leaves one timer per request.
    const before = atFirst(warm(leaking, began).map(({ timers }) => timers))
    expect(last(leaking).timers).toBeGreaterThan(before + FEW)
  }, 300_000)
})
