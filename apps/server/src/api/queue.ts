import { createHash } from 'node:crypto'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { TimeInDoubt } from '../db/clock.ts'
import { SAME_EVERYWHERE } from '../db/database.ts'
import { STATEMENT_MS } from '../db/deadline.ts'
import { faultOf } from '../gateways/fault.ts'
import { rarely } from '../gateways/telemetry/rarely.ts'
import { traced, traceparent } from '../gateways/telemetry/trace.ts'
import type { Job, Queue, Services } from './context.ts'
import { setbackOf } from './health/setback.ts'
import { reasonOf } from './log.ts'
import { nightOf } from './night.ts'
import { repeat } from './repeat.ts'

export function job<P extends z.ZodType>(made: Job<P>): Job<P> {
  return made
}

/** Thrown by a job for a problem outside Pillar, such as a mail server that is away: it is logged and retried, but not reported. */
export class Foreseen extends Error {}

/** Thrown by a job that no retry would help: once its retries are used up it stays failed, even if it is `again`. */
export class NotAgain extends Foreseen {
  override name = 'NotAgain'
}

/** Thrown by a job that wants a retry after its own wait and with more data: `carries` joins its payload. */
export class WaitThen extends Foreseen {
  override name = 'WaitThen'
  readonly seconds: number
  readonly carries: object
  constructor(message: string, seconds: number, carries: object) {
    super(message)
    this.seconds = seconds
    this.carries = carries
  }
}

const RETRY_EVERY_MS = 60_000

/** All other jobs have priority 0. */
const BEHIND = -1

/** The field of a job's data with the trace it was queued in; the job itself never sees it. Jobs of an older version or queued by hand have none. */
const TRACE = 'traceparent'

function withTrace(payload: object): object {
  const now = traceparent()
  return now === null ? payload : { ...payload, [TRACE]: now }
}

function traceOf(data: unknown): string | null {
  const found = (data as Record<string, unknown> | null | undefined)?.[TRACE]
  return typeof found === 'string' ? found : null
}

/** The queue's own connections. One that does not answer is closed and reopened; normal bookkeeping takes far less time. */
const CONNECTION = {
  options: `-c role=pillar_queue -c statement_timeout=${STATEMENT_MS} ${SAME_EVERYWHERE}`,
  query_timeout: STATEMENT_MS + 2_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}

/** The most connections a process has to the queue. */
export const QUEUE_CONNECTIONS = 4

/** The application name of a working process's queue connections; in older versions they carry the queue's own name. */
export const WORKER = 'pillar_queue worker'
export const OLDER_QUEUE = 'pgboss'

/**
 * Jobs that were given up and are due for another try: after 15 minutes, 30 minutes, then every hour, for a week. A later job with the same
 * key does their work too, and a night's job ($3) is retried only until the next night, which has its own.
 */
const GIVEN_UP = `
  select j.name, j.id from pgboss.job j join pgboss.queue q on q.name = j.name
  where j.name = any($1) and (j.id = any($3) or j.name = any($2)) and j.state = 'failed'
    and j.completed_on < now() - interval '15 minutes' * least(4, 2 ^ (j.retry_limit - q.retry_limit))
    and j.created_on > now() - interval '7 days' and coalesce(j.output->>'name', '') <> 'NotAgain'
    and not exists (
      select from pgboss.job later
      where later.name = j.name and later.singleton_key = j.singleton_key and later.created_on > j.created_on)`

/**
 * Jobs with a time later than any we set: new ones are due at once, and a retry within the hour. The database's clock was wrong when it was
 * written, and has been set back.
 */
const SET_BACK = `
  update pgboss.job set start_after = least(start_after, now()), started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now())
  where name = any($1) and (state = 'created' and start_after > now() + interval '1 minute'
    or state = 'retry' and start_after > now() + interval '1 hour'
    or state = 'active' and greatest(started_on, heartbeat_on) > now() + interval '1 minute')`

const WAIT_THEN = `
  update pgboss.job set data = data || $3::jsonb, retry_delay = $4, retry_backoff = false where name = $1 and id = $2`

/** The fixed uuid of a period's job, which lets it be enqueued only once (RFC 9562, version 8). */
function idOf(name: string, period: string): string {
  const bytes = createHash('sha256').update(`${name} ${period}`).digest()
  bytes[6] = 0x80 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/**
 * A worker reports every half minute that it is still running a job. After two minutes of silence it counts as dead, and the job is retried.
 * A night's work may take hours on a large platform and must not be started a second time beside itself.
 */
const LEASE = { expireInSeconds: 12 * 3_600, heartbeatSeconds: 120 }
const HOW = { pollingIntervalSeconds: 0.5, batchSize: 1, heartbeatRefreshSeconds: 30 }

/** Creates the queues that are missing, and gives our lease to those of an earlier version, which keep the settings they were created with. */
async function openQueues(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const found = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const { name, once, retries } of jobs) {
    const queue = found.get(name)
    const policy = once ? 'short' : 'standard'
    if (!queue)
      await boss.createQueue(name, { policy, retryLimit: retries, retryDelay: 2, retryBackoff: true, ...LEASE })
    else if (queue.expireInSeconds !== LEASE.expireInSeconds || queue.heartbeatSeconds !== LEASE.heartbeatSeconds)
      await boss.updateQueue(name, LEASE)
  }
}

/**
 * The job queue: pg-boss on the same database. Its schema is created by the migration.
 * A worker that dies leaves its job to be retried; every job must therefore be safe to run again.
 * @param works whether this process takes jobs: its connections then say so
 */
export async function openQueue(url: string, names: readonly Job[], log: Logger, works = false): Promise<Queue> {
  const application_name = works ? WORKER : 'pillar_queue'
  const boss = new PgBoss({
    ...CONNECTION,
    application_name,
    connectionString: url,
    migrate: false,
    max: QUEUE_CONNECTIONS,
    schedule: false,
  })
  let stopping = false
  const failed = rarely((reason, times) => log.error({ reason, ...(times > 1 ? { times } : {}) }, 'job queue'))
  // Each queue reports the error separately, with a name and an id that the reason does not need.
  boss.on('error', (error) => {
    if (!stopping) failed(reasonOf(error).replace(/ \(Queue: .*\)$/, ''))
  })
  await boss.start()
  await openQueues(boss, names)
  const workers = new Map<string, string[]>()
  let stopRetries = async () => {}
  const recover = async (jobs: readonly Job[], services: Services) => {
    const names = jobs.map(({ name }) => name)
    await boss.getDb().executeSql(SET_BACK, [names])
    const lasting = jobs.filter(({ again }) => again).map(({ name }) => name)
    const tonight = jobs.filter(({ nightly }) => nightly !== undefined).map(({ name }) => idOf(name, nightOf(services)))
    const { rows } = await boss.getDb().executeSql(GIVEN_UP, [names, lasting, tonight])
    for (const { name, id } of rows as { name: string; id: string }[]) {
      await boss.retry(name, id)
      log.warn({ job: name }, 'a job that was given up is tried again')
    }
  }
  return {
    async send(tx, which, payload, key, behind) {
      const data = withTrace(payload as object)
      const options = { ...(key ? { singletonKey: key } : {}), ...(behind ? { priority: BEHIND } : {}) }
      await boss.send(which.name, data, { db: fromKysely(tx), ...options })
    },
    async onceFor(period, which, payload) {
      await boss.send(which.name, payload as object, { id: idOf(which.name, period) })
    },
    wake(which) {
      for (const worker of workers.get(which.name) ?? []) boss.notifyWorker(worker)
    },
    async work(jobs, services) {
      for (const one of jobs) {
        for (let at = 0; at < one.concurrency(services); at++) {
          const worker = await boss.work(one.name, HOW, async ([claimed]) => {
            try {
              const { name: job } = one
              const parent = traceOf(claimed?.data)
              const work = () => one.run(one.payload.parse(claimed?.data), services)
              await traced(`job ${job}`, { job }, work, { kind: 'consumer', parent })
            } catch (error) {
              // The queue retries it and finally gives it up, without logging anything.
              // Report only what may be a fault: one night's outage would push all other errors out of the store.
              if (!(error instanceof Foreseen || error instanceof TimeInDoubt) && setbackOf(error) !== 'database_away')
                services.errors.report(faultOf(error, { call: `job ${one.name}` }))
              services.log.error({ job: one.name, reason: reasonOf(error) }, 'a job failed')
              if (error instanceof WaitThen)
                await boss.getDb().executeSql(WAIT_THEN, [one.name, claimed?.id, error.carries, error.seconds])
              throw error
            }
          })
          workers.set(one.name, [...(workers.get(one.name) ?? []), worker])
        }
      }
      stopRetries = repeat(services, 'looking for jobs that nobody would take', RETRY_EVERY_MS, () =>
        recover(jobs, services),
      )
    },
    async check() {
      await boss.getDb().executeSql('select version from pgboss.version')
    },
    async stop() {
      stopping = true
      await Promise.all([stopRetries(), boss.stop({ graceful: true, timeout: 20_000 })])
    },
  }
}
