import { pino } from 'pino'
import type { Services } from '../src/api/context.ts'
import { openQueue } from '../src/api/queue.ts'
import { openClock } from '../src/db/clock.ts'
import { openPools } from '../src/db/database.ts'
import { openKeys } from '../src/db/field/key-ring.ts'
import { readEnv } from '../src/env.ts'
import { readLinkSecret } from '../src/features/consent/link/link-secret.queries.ts'
import { startSender } from '../src/features/messaging.jobs.ts'
import { openBulkEmail } from '../src/gateways/email/bulk-email.ts'
import { openMailer } from '../src/gateways/email/email.ts'
import { gatewayAt } from './outside/fake-gateway.ts'

/** A sender in a separate process, for tests that kill it. DATABASE_URL, DATA_DIR, GATEWAY_URL and SENDER_OPTIONS (JSON) configure it. */
const env = readEnv(process.env)
const url = env.DATABASE_URL ?? ''
const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
const pools = openPools(url, () => {}, 6)
const queue = await openQueue(url, [], log)
const clock = await openClock(pools.system, { log, warn: () => {} })
const secret = Buffer.alloc(32, 7)
const services = {
  env,
  pools,
  queue,
  log,
  mail: openMailer(env),
  sms: gatewayAt(process.env.GATEWAY_URL ?? ''),
  bulkEmail: openBulkEmail(env, pools),
  now: clock.now,
  secret,
  linkSecret: await readLinkSecret(pools.system, secret),
  keys: await openKeys(env, pools.system),
  publicUrl: () => 'http://localhost',
} as unknown as Services
const stop = startSender(services, JSON.parse(process.env.SENDER_OPTIONS ?? '{}'))
process.stdout.write('working\n')
process.on('SIGTERM', async () => {
  await stop()
  process.exit(0)
})
