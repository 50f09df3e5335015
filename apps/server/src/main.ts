import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Services } from './api/context.ts'
import { openFigures } from './api/health/figures.ts'
import { listenOn } from './api/health/listen.ts'
import { openProbes } from './api/health/probe.ts'
import { openLog, reasonOf } from './api/log.ts'
import { startNights } from './api/night.ts'
import { keepScreens } from './api/page/kept-screens.ts'
import { webFolder } from './api/page/pages.ts'
import { repeat } from './api/repeat.ts'
import { buildApp } from './app.ts'
import { refuseAway, sentenceOf } from './db/away.ts'
import { openClock } from './db/clock.ts'
import { appConnections, openPools } from './db/database.ts'
import { makePrivate } from './db/embedded/data-folder.ts'
import { type EmbeddedDatabase, startEmbedded } from './db/embedded/embedded.ts'
import { migrate, refuseOldSchema } from './db/migrate.ts'
import { refuseMissingRoles, refuseSuperuser } from './db/roles.ts'
import { type Env, readEnv } from './env.ts'
import { startSealing } from './features/cohort/fill-contacts.jobs.ts'
import { type DemoUpload, refreshDemo, startDemo } from './features/demo/demo-network.ts'
import { patiently } from './features/demo/load/patiently.ts'
import { startErasures } from './features/erasure/erasure.jobs.ts'
import { jobs } from './features/index.ts'
import { correctAmericanPharmacies } from './features/location/american-pharmacies.ts'
import { warnOfOtherStates } from './features/location/other-state.ts'
import { warnOfSecret } from './features/location/secret-check.ts'
import { startSender } from './features/messaging.jobs.ts'
import { ensureSubcategories } from './features/metrics/subcategory.queries.ts'
import { ensureRecommendations } from './features/recommendation/recommended.queries.ts'
import { refuseHalfSetAside } from './features/sending/restore/set-aside.ts'
import { ensureSequenceRecommendations } from './features/sequence/recommended.queries.ts'
import { startSequences } from './features/sequence/sequence.jobs.ts'
import { startSimulator } from './features/simulator/simulator.jobs.ts'
import { startSixtyDay } from './features/sixty-day/sixty-day.jobs.ts'
import { removeStale } from './features/upload/file/upload-folder.ts'
import { recoverUploads } from './features/upload/upload.jobs.ts'
import { faultOf } from './gateways/fault.ts'
import { checkSms } from './gateways/sms/sms.ts'
import { startTelemetry } from './gateways/telemetry/telemetry.ts'
import { openServices } from './open-services.ts'
import {
  exampleSettings,
  keptLetters,
  misspeltSettings,
  noTemporaryFiles,
  plainDatabases,
  unusedSettings,
  warnOfHolidays,
  warnOfStore,
} from './start-warnings.ts'

const NODE_MAJOR = 26
/** Signals that stop it, and their numbers; the first is sent when a terminal is closed. */
const STOPS = [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const
const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function start(): Promise<void> {
  refuseOldNode()
  const began = performance.now()
  // Until it can stop in order: on 'exit' its database ends too, which a signal alone would leave running.
  for (const [signal, code] of STOPS) process.once(signal, () => process.exit(128 + code))
  const env = readEnv(process.env)
  checkSms(env)
  const log = openLog(env.LOG_LEVEL)
  const named = [...misspeltSettings(process.env), ...unusedSettings(env, process.env)]
  const lacking = [keptLetters(env), exampleSettings(env), plainDatabases(env, process.env), noTemporaryFiles(tmpdir())]
  for (const sentence of [...named, ...lacking]) if (sentence) log.warn(sentence)
  const stopping = new AbortController()
  const { database, pools, clock } = await openDatabase(env, log, stopping.signal)
  if (env.ROLE !== 'web') await refuseHalfSetAside(pools.system)
  const address = { public: env.PUBLIC_URL ?? `http://localhost:${env.PORT}` }
  const services = await openServices({ env, log, database, pools, clock, address, stopping: stopping.signal })
  const stopErasures = await startErasures(services, say)
  reportUncaught(services)
  await warnOfSecret(services)
  void warnOfStore(services)
  const figures = openFigures(services)
  const stopTelemetry = await startTelemetry(env, log, figures.read)
  if (env.ROLE !== 'worker') await keepScreens(env.DATA_DIR, webFolder, services.now()).catch(withoutOlderScreens(log))
  const app = env.ROLE === 'worker' ? null : await buildApp(services, webFolder, figures)
  const stopWork = env.ROLE === 'web' ? sweepParts(services) : await work(services)
  const stopProbes = app ? async () => {} : await openProbes(services, figures)
  const port = app ? await listen(app, env) : null
  if (port !== null && !env.PUBLIC_URL) address.public = `http://localhost:${port}`
  const later: (() => Promise<void>)[] = []
  onStopSignals(async () => {
    stopping.abort()
    await Promise.all([stopWork(), stopErasures(), ...later.map((stop) => stop()), app?.close(), stopProbes()])
    await services.queue.stop()
    await stopTelemetry()
    await services.errors.flush()
    await Promise.all([clock.stop(), services.replica?.close()])
    await pools.close()
    await database.stop()
  }, log)
  const own = `http://${['0.0.0.0', '::'].includes(env.HOST) ? '127.0.0.1' : env.HOST}:${port}`
  const demo = app && (await patiently(services, () => startDemo(services, own, say, database.ownerUrl)))
  if (stopping.signal.aborted) return
  if (env.ROLE !== 'web') later.push(...AFTER_DEMO.map((begin) => begin(services)))
  announce(services, began, app !== null)
  if (demo) later.push(sendDemoNightly(services, demo))
}

/** Nothing but pages of other versions needs them. */
const withoutOlderScreens = (log: Services['log']) => (error: unknown) =>
  log.warn({ reason: reasonOf(error) }, 'the files of the screens could not be kept for other versions')

function refuseOldNode(): void {
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return
  throw new Error(
    `Pillar runs on Node ${NODE_MAJOR}, this is ${process.versions.node}. Run "npm ci" (with install scripts allowed for "node"), then "npm start".`,
  )
}

/** The database, up to date or refused: its schema, its roles, and what every installation has in it. */
async function openDatabase(env: Env, log: Services['log'], stopping: AbortSignal) {
  const database = env.DATABASE_URL ? await elsewhere(env, env.DATABASE_URL) : await openEmbedded(env, log)
  await refuseSuperuser(database.url)
  const migrates = env.MIGRATE === 'on' || !env.DATABASE_URL
  if (migrates) {
    say('Bringing the database up to date')
    await migrate(database.ownerUrl, (line) => log.warn(line), database.url)
  }
  await refuseMissingRoles(database.url)
  const lost = (error: Error) => {
    if (!stopping.aborted) log.error({ reason: error.message }, 'database connection')
  }
  const pools = openPools(database.url, lost, appConnections(env))
  if (!migrates) await refuseOldSchema(pools.system)
  const clock = await openClock(pools.system, { log, warn: (sentence) => log.warn(sentence) })
  await ensureSubcategories(pools.app)
  await ensureRecommendations(pools.system, env.COUNTRY, clock.now())
  await ensureSequenceRecommendations(pools.system, clock.now())
  await correctAmericanPharmacies(pools.system, log)
  await warnOfOtherStates(pools.system, log)
  return { database, pools, clock }
}

/** @returns the port it listens on, which differs from PORT if that is 0 */
async function listen(app: Awaited<ReturnType<typeof buildApp>>, env: Env): Promise<number> {
  await listenOn(app, env.HOST, env.PORT, 'PORT')
  const bound = app.server.address()
  return typeof bound === 'object' && bound ? bound.port : env.PORT
}

/**
 * What a worker starts only once the demo network exists: its past is sent on a separate clock, 60-day sums would wait for the pharmacies
 * still to come, and nightly work would be done without them.
 */
const AFTER_DEMO = [startMessages, startSixtyDay, (services: Services) => startNights(services, jobs)] as const

async function openEmbedded(env: Env, log: Services['log']): Promise<EmbeddedDatabase> {
  const fresh = !existsSync(resolve(env.DATA_DIR, 'postgres'))
  say(`${fresh ? 'Creating' : 'Starting'} the database in ${resolve(env.DATA_DIR)}`)
  try {
    return await startEmbedded(env.DATA_DIR, (event) => log.error({ reason: event }, 'embedded database'))
  } catch (error) {
    throw new Error(`The database in ${resolve(env.DATA_DIR)} did not start. ${sentenceOf(error)}`)
  }
}

/** A PostgreSQL run elsewhere. DATA_DIR still holds keys and uploads. */
async function elsewhere(env: Env, url: string): Promise<EmbeddedDatabase> {
  await makePrivate(env.DATA_DIR)
  await refuseAway(env)
  return { url, ownerUrl: env.DATABASE_OWNER_URL ?? url, trouble: () => null, stop: async () => {} }
}

/** Sends messages, queues due follow-ups of sequences, and runs the simulated gateway. */
function startMessages(services: Services): () => Promise<void> {
  warnOfHolidays(services)
  const stopSimulator = startSimulator(services)
  const stopSender = startSender(services)
  const stopSequences = startSequences(services)
  return async () => {
    await stopSequences()
    await stopSender()
    await stopSimulator()
  }
}

/** Takes jobs, and looks every half minute for uploads that a dead worker left behind. */
async function work(services: Services): Promise<() => Promise<void>> {
  await services.queue.work(jobs, services)
  await recoverUploads(services)
  const stopSweep = repeat(services, 'looking for abandoned uploads', 30_000, () => recoverUploads(services))
  const stopSealing = startSealing(services)
  return async () => {
    await stopSweep()
    await stopSealing()
  }
}

/** Removes unfinished uploads, which only this process can reach if workers have a separate DATA_DIR. */
function sweepParts(services: Services): () => Promise<void> {
  return repeat(services, 'removing unfinished uploads', 3_600_000, () => removeStale(services.env.DATA_DIR))
}

/** Sends now and every hour whatever the demo pharmacies have not sent up to yesterday. */
function sendDemoNightly(services: Services, demo: DemoUpload): () => Promise<void> {
  return repeat(services, 'the demo pharmacies could not send their night', 3_600_000, () =>
    refreshDemo(services, demo),
  )
}

/** Reports an uncaught error, then ends the process as it would have ended: its state can no longer be trusted. */
function reportUncaught({ errors, log }: Services): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ reason: reasonOf(error), stack: (error as Error | null)?.stack }, 'an error that nothing caught')
      errors.report(faultOf(error, { call: event }))
      void errors.flush().then(() => process.exit(1))
    })
  }
}

/** Finishes running work, then exits; a second signal or 30 seconds exits at once. */
function onStopSignals(stop: () => Promise<void>, log: Services['log']): void {
  let stopping = false
  for (const [signal] of STOPS) {
    // The start's own listener would end it at once.
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
  process.stderr.write(`\nPillar did not start. ${sentenceOf(error)}\n`)
  process.exit(1)
})
