import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import type { Services } from '../src/api/context.ts'
import { openFigures } from '../src/api/health/figures.ts'
import { webFolder } from '../src/api/page/pages.ts'
import { openQueue } from '../src/api/queue.ts'
import { Replica } from '../src/api/replica/replica.ts'
import { buildApp } from '../src/app.ts'
import { openPools } from '../src/db/database.ts'
import { openLoggedKeys } from '../src/db/field/logged-keys.ts'
import { readEnv } from '../src/env.ts'
import { readLinkSecret } from '../src/features/consent/link/link-secret.queries.ts'
import { jobs } from '../src/features/index.ts'
import { openAi } from '../src/gateways/ai-service.ts'
import { openBreaches } from '../src/gateways/breaches.ts'
import { openCaptcha } from '../src/gateways/captcha.ts'
import { disk } from '../src/gateways/disk.ts'
import { openBulkEmail } from '../src/gateways/email/bulk-email.ts'
import { openMailer } from '../src/gateways/email/email.ts'
import { openErrors } from '../src/gateways/errors.ts'
import { openFiles } from '../src/gateways/file/files.ts'
import { openPlaces } from '../src/gateways/places.ts'
import { openSms } from '../src/gateways/sms/sms.ts'
import { openSuperset } from '../src/gateways/superset.ts'
import { startTelemetry } from '../src/gateways/telemetry/telemetry.ts'
import { cloneDatabase, databaseUrl } from './database.ts'

export interface Reply<T> {
  status: number
  body: T
  headers: Record<string, unknown>
  cookies: { name: string; value: string }[]
}

export interface TestServer {
  app: FastifyInstance
  services: Services
  /** The server's own connection to it. */
  servingUrl: string
  /** Owner's connection string of this test's database. */
  ownerUrl: string
  /** Connections of the owner, opened when needed: a new one for each statement took nearly a third of the tests' processor time. */
  ownerPool: pg.Pool
  /** Moves the clock that rules read. */
  clock: { offsetMs: number }
  /** POSTs JSON and returns status, body and headers. */
  call: <T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    method?: 'POST' | 'DELETE',
  ) => Promise<Reply<T>>
  close: () => Promise<void>
}

/** Moves a server's clock on to the next time it is this hour and minute in UTC: never back, where rows just created would not exist yet. */
export function moveOnTo({ clock, services }: TestServer, hour: number, minute = 0): void {
  const then = services.now()
  then.setUTCHours(hour, minute, 0, 0)
  if (then < services.now()) then.setUTCDate(then.getUTCDate() + 1)
  clock.offsetMs = then.getTime() - Date.now()
}

/**
 * A whole server on its own database, running jobs if `work` is set, except those named in `without`; `way` reaches the database by a
 * detour, `on` names another one.
 */
export async function startTestServer(
  options: {
    work?: boolean
    without?: readonly string[]
    env?: Record<string, string>
    way?: (url: string) => Promise<string>
    on?: { ownerUrl: string; servingUrl: string }
  } = {},
): Promise<TestServer> {
  const { on } = options
  const database = on ? { url: on.ownerUrl, drop: async () => {} } : await cloneDatabase(inject('ownerUrl'))
  const folder = mkdtempSync(join(tmpdir(), 'pillar-data-'))
  const clock = { offsetMs: 0 }
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const direct = on?.servingUrl ?? databaseUrl(inject('servingUrl'), new URL(database.url).pathname.slice(1))
  const servingUrl = options.way ? await options.way(direct) : direct
  const env = readEnv({
    DATA_DIR: folder,
    DATABASE_URL: servingUrl,
    OUTBOX: 'on',
    SECOND_FACTOR: 'optional',
    ...options.env,
  })
  const pools = openPools(servingUrl, () => {}, 6)
  const ownerPool = new pg.Pool({ connectionString: database.url, max: 6, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // Tests end connections, these among them: a statement on one fails by itself.
  ownerPool.on('error', () => {})
  ownerPool.on('connect', (client) => client.on('error', () => {}))
  const queue = await openQueue(servingUrl, jobs, log)
  const secret = Buffer.alloc(32, 7)
  const services: Services = {
    env,
    pools,
    replica: await Replica.open(env, pools, log),
    queue,
    log,
    errors: openErrors(env, pools, log),
    mail: openMailer(env),
    sms: openSms(env, pools),
    bulkEmail: openBulkEmail(env, pools),
    ai: openAi(env),
    captcha: openCaptcha(env, secret),
    breaches: openBreaches(env, log),
    places: openPlaces(env),
    superset: openSuperset(env),
    disk,
    files: await openFiles(env),
    now: () => new Date(Date.now() + clock.offsetMs),
    secret,
    linkSecret: await readLinkSecret(pools.system, secret),
    keys: await openLoggedKeys(env, pools, log),
    // Hashes cost a thousandth of real ones; the parameters themselves have a separate test.
    passwordCost: { memoryCost: 64, timeCost: 1 },
    publicUrl: () => env.PUBLIC_URL ?? 'http://localhost:3000',
  }
  const figures = openFigures(services)
  const stopTelemetry = await startTelemetry(env, log, figures.read)
  const app = await buildApp(services, webFolder, figures)
  if (options.work)
    await queue.work(
      jobs.filter(({ name }) => !options.without?.includes(name)),
      services,
    )
  return {
    app,
    services,
    servingUrl,
    ownerUrl: database.url,
    ownerPool,
    clock,
    async call<T>(
      path: string,
      body: unknown = {},
      headers: Record<string, string> = {},
      method: 'POST' | 'DELETE' = 'POST',
    ) {
      const answer = await app.inject({ method, url: path, payload: body as object, headers })
      const json = String(answer.headers['content-type']).includes('json')
      const read = (json ? answer.json() : answer.body) as T
      return { status: answer.statusCode, body: read, headers: answer.headers, cookies: answer.cookies }
    },
    async close() {
      await app.close()
      await queue.stop()
      await stopTelemetry()
      await services.errors.flush()
      await services.replica?.close()
      await pools.close()
      // A statement that still waits ends with its database.
      void ownerPool.end()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Sends `count` requests, 25 at a time unless told otherwise, and returns their answers. On a busy machine more at once would wait longer than
 * a request may take and be refused for it.
 */
export async function answersOf<T>(count: number, ask: (at: number) => Promise<T>, atOnce = 25): Promise<T[]> {
  const answers: T[] = []
  while (answers.length < count) {
    const from = answers.length
    const lot = Array.from({ length: Math.min(atOnce, count - from) }, (_, at) => ask(from + at))
    answers.push(...(await Promise.all(lot)))
  }
  return answers
}
