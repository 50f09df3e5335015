import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pino } from 'pino'
import type { Services } from './api/context.ts'
import { REDACT } from './api/log.ts'
import { webFolder } from './api/pages.ts'
import { openQueue } from './api/queue.ts'
import { repeat } from './api/repeat.ts'
import { readSecret } from './api/secret.ts'
import { buildApp } from './app.ts'
import { openPools } from './db/database.ts'
import { startEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { type Env, readEnv } from './env.ts'
import { bringUpDemo, type DemoUpload, keepDemoFresh } from './features/demo/demo-network.ts'
import { recoverUploads } from './features/etl/etl.jobs.ts'
import { jobs } from './features/index.ts'
import { startSender } from './features/message/sender.jobs.ts'
import { ensureSubcategories } from './features/metrics/subcategory.queries.ts'
import { ensureRecommendations } from './features/recommendation/recommended.queries.ts'
import { startRetention } from './features/retention/retention.jobs.ts'
import { ensureSequenceRecommendations } from './features/sequence/recommended.queries.ts'
import { startSequences } from './features/sequence/sequence.jobs.ts'
import { startSimulator } from './features/simulator/simulator.jobs.ts'
import { openAi } from './gateways/ai.ts'
import { openBreaches } from './gateways/breaches.ts'
import { openBulkEmail } from './gateways/bulk-email.ts'
import { openCaptcha } from './gateways/captcha.ts'
import { openMailer } from './gateways/email.ts'
import { reporting } from './gateways/report.ts'
import { checkSms, openSms } from './gateways/sms.ts'

const NODE_MAJOR = 26
const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

async function start(): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR) {
    throw new Error(
      `Pillar runs on Node ${NODE_MAJOR}, this is ${process.versions.node}. Run "npm ci" (with install scripts allowed for "node"), then "npm start".`,
    )
  }
  const began = performance.now()
  const env = readEnv(process.env)
  checkSms(env)
  const log = pino({ level: env.LOG_LEVEL, redact: REDACT, base: null })
  const database = env.DATABASE_URL ? { url: env.DATABASE_URL, stop: async () => {} } : await openEmbedded(env)
  say('Bringing the database up to date')
  await migrate(database.url, (line) => log.warn(line))
  let stopping = false
  const pools = openPools(database.url, (error) => {
    if (!stopping) log.error({ reason: error.message }, 'database connection')
  })
  await ensureSubcategories(pools.app)
  await ensureRecommendations(pools.gate, env.COUNTRY, new Date())
  await ensureSequenceRecommendations(pools.gate, new Date())
  const queue = await openQueue(database.url, jobs, log)
  let own = ''
  let address = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  const secret = await readSecret(env)
  const services: Services = {
    env,
    pools,
    queue,
    log,
    mail: openMailer(env),
    sms: reporting(openSms(env, pools), log),
    bulkEmail: reporting(openBulkEmail(env, pools), log),
    ai: openAi(env),
    captcha: openCaptcha(env, secret),
    breaches: openBreaches(env, log),
    now: () => new Date(),
    secret,
    publicUrl: () => address,
  }
  const app = env.ROLE === 'worker' ? null : await buildApp(services)
  const stopWork = env.ROLE === 'web' ? async () => {} : await work(services)
  if (app) {
    await app.listen({ port: env.PORT, host: env.HOST })
    const bound = app.server.address()
    const port = typeof bound === 'object' && bound ? bound.port : env.PORT
    if (!env.PUBLIC_URL) address = `http://localhost:${port}`
    own = `http://${['0.0.0.0', '::'].includes(env.HOST) ? '127.0.0.1' : env.HOST}:${port}`
  }
  let stopMessages = async () => {}
  let stopDemo = async () => {}
  onStopSignals(async () => {
    stopping = true
    await Promise.all([stopWork(), stopMessages(), stopDemo(), app?.close()])
    await queue.stop()
    await pools.close()
    await database.stop()
  }, log)
  const demo = app && (await bringUpDemo(services, own, say))
  // Not before: the demo network's past is sent on a clock of its own.
  if (env.ROLE !== 'web') stopMessages = startMessages(services)
  announce(services, began, app !== null)
  if (demo) stopDemo = sendDemoNightly(services, demo)
}

async function openEmbedded(env: Env) {
  const fresh = !existsSync(resolve(env.DATA_DIR, 'postgres'))
  say(`${fresh ? 'Creating' : 'Starting'} the database in ${resolve(env.DATA_DIR)}`)
  const lines: string[] = []
  try {
    return await startEmbedded(env.DATA_DIR, (line) => void lines.push(line))
  } catch (error) {
    throw new Error(
      `The database in ${resolve(env.DATA_DIR)} did not start: ${String(error ?? '')}\n${lines.slice(-5).join('')}`,
    )
  }
}

/** Sends messages, queues what sequences follow up, and lets the simulated gateway speak. */
function startMessages(services: Services): () => Promise<void> {
  const stopSimulator = startSimulator(services)
  const stopSender = startSender(services)
  const stopSequences = startSequences(services)
  return async () => {
    await stopSequences()
    await stopSender()
    await stopSimulator()
  }
}

/** Takes jobs, looks every half minute for uploads that a dead worker left behind, and asks for the daily removal. */
async function work(services: Services): Promise<() => Promise<void>> {
  await services.queue.work(jobs, services)
  await recoverUploads(services)
  const stopSweep = repeat(services, 'looking for abandoned uploads', 30_000, () => recoverUploads(services))
  const stopRetention = startRetention(services)
  return async () => {
    await stopSweep()
    await stopRetention()
  }
}

/** Now and every hour: whatever the demo pharmacies have not sent up to yesterday. */
function sendDemoNightly(services: Services, demo: DemoUpload): () => Promise<void> {
  return repeat(services, 'the demo pharmacies could not send their night', 3_600_000, () =>
    keepDemoFresh(services, demo),
  )
}

/** Finishes what runs, then leaves; a second signal or 30 seconds leaves at once. */
function onStopSignals(stop: () => Promise<void>, log: Services['log']): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // The embedded database listens too, and would go while what is in hand still needs it.
    process.removeAllListeners(signal)
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      setTimeout(() => process.exit(1), 30_000).unref()
      stop().then(
        () => process.exit(0),
        (error) => {
          log.error({ reason: String(error) }, 'stopping')
          process.exit(1)
        },
      )
    })
  }
}

function announce(services: Services, began: number, serving: boolean): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  if (!serving) {
    say(`Pillar's worker is running, after ${seconds} s.`)
    return
  }
  say(`\n${services.env.PRODUCT_NAME} is running on ${services.publicUrl()} after ${seconds} s. Ctrl+C stops it.`)
  if (!existsSync(resolve(webFolder, 'index.html'))) say('The screens are not built: run "npm run build".')
}

start().catch((error: unknown) => {
  process.stderr.write(`\nPillar did not start. ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
