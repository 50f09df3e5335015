import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { inject } from 'vitest'
import type { Services } from '../src/api/context.ts'
import { openQueue } from '../src/api/queue.ts'
import { buildApp } from '../src/app.ts'
import { openPools } from '../src/db/database.ts'
import { readEnv } from '../src/env.ts'
import { jobs } from '../src/features/index.ts'
import { openAi } from '../src/gateways/ai.ts'
import { openBreaches } from '../src/gateways/breaches.ts'
import { openBulkEmail } from '../src/gateways/bulk-email.ts'
import { openCaptcha } from '../src/gateways/captcha.ts'
import { openMailer } from '../src/gateways/email.ts'
import { openSms } from '../src/gateways/sms.ts'
import { cloneDatabase } from './database.ts'

export interface Reply<T> {
  status: number
  body: T
  headers: Record<string, unknown>
  cookies: { name: string; value: string }[]
}

export interface TestServer {
  app: FastifyInstance
  services: Services
  /** Owner's connection string of this test's database. */
  ownerUrl: string
  /** Moves the clock that rules read. */
  clock: { offsetMs: number }
  /** POSTs JSON and gives status, body and headers. */
  call: <T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    method?: 'POST' | 'DELETE',
  ) => Promise<Reply<T>>
  close: () => Promise<void>
}

/** A whole server on its own database, with jobs running when `work` is asked for. */
export async function startTestServer(
  options: { work?: boolean; env?: Record<string, string> } = {},
): Promise<TestServer> {
  const database = await cloneDatabase(inject('ownerUrl'))
  const folder = mkdtempSync(join(tmpdir(), 'pillar-data-'))
  const clock = { offsetMs: 0 }
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const env = readEnv({ DATA_DIR: folder, DATABASE_URL: database.url, ...options.env })
  const pools = openPools(database.url, () => {}, 6)
  const queue = await openQueue(database.url, jobs, log)
  const secret = Buffer.alloc(32, 7)
  const services: Services = {
    env,
    pools,
    queue,
    log,
    mail: openMailer(env),
    sms: openSms(env, pools),
    bulkEmail: openBulkEmail(env, pools),
    ai: openAi(env),
    captcha: openCaptcha(env, secret),
    breaches: openBreaches(env, log),
    now: () => new Date(Date.now() + clock.offsetMs),
    secret,
    // Hashes a thousand times cheaper than real ones; the parameters themselves have a test of their own.
    passwordCost: { memoryCost: 64, timeCost: 1 },
    publicUrl: () => env.PUBLIC_URL ?? 'http://localhost:3000',
  }
  const app = await buildApp(services)
  if (options.work) await queue.work(jobs, services)
  return {
    app,
    services,
    ownerUrl: database.url,
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
      await pools.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
