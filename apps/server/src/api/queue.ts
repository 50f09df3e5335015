import { fromKysely, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Tx } from '../db/database.ts'
import { faultOf } from '../gateways/fault.ts'
import type { Services } from './context.ts'
import { reasonOf } from './log.ts'

/** A job: a name, what it carries, and what it does. Its function may call the outside world; a request's handler never does. */
export interface Job<P extends z.ZodType = z.ZodType> {
  name: string
  payload: P
  /** Jobs of this name running at once in one worker process. */
  concurrency: (services: Services) => number
  retries: number
  /** At most one job of each key waits; who would be the second is served by the first. Never for work on what is not committed yet. */
  once?: true
  run: (payload: z.output<P>, services: Services) => Promise<void>
}

export function job<P extends z.ZodType>(made: Job<P>): Job<P> {
  return made
}

export interface Queue {
  /** Enqueues inside the caller's transaction: the job exists exactly if the write does. `key` is what a `once` job is told apart by. */
  send: <P extends z.ZodType>(tx: Tx, which: Job<P>, payload: z.input<P>, key?: string) => Promise<void>
  /** Enqueues a job at most once in a day (UTC), whoever asks and however often. */
  daily: <P extends z.ZodType>(which: Job<P>, payload: z.input<P>) => Promise<void>
  /** Lets this process's workers look for a job now rather than at their next round. Call it after the commit. */
  wake: (which: Pick<Job, 'name'>) => void
  /** Starts running jobs in this process. */
  work: (jobs: readonly Job[], services: Services) => Promise<void>
  /** Stops taking jobs and waits for the running ones. */
  stop: () => Promise<void>
}

const DAY_SECONDS = 86_400

/**
 * The job queue: pg-boss on the same database. Its schema is created by the migration.
 * A worker that dies leaves its job to expire and be retried; every job must therefore be safe to run again.
 */
export async function openQueue(ownerUrl: string, names: readonly Job[], log: Logger): Promise<Queue> {
  const boss = new PgBoss({ connectionString: ownerUrl, migrate: false, max: 4, schedule: false })
  let stopping = false
  boss.on('error', (error) => {
    if (!stopping) log.error({ reason: error.message }, 'job queue')
  })
  await boss.start()
  for (const one of names) {
    await boss.createQueue(one.name, {
      policy: one.once ? 'short' : 'standard',
      retryLimit: one.retries,
      retryDelay: 2,
      retryBackoff: true,
      expireInSeconds: 900,
    })
  }
  const workers = new Map<string, string[]>()
  return {
    async send(tx, which, payload, key) {
      await boss.send(which.name, payload as object, { db: fromKysely(tx), ...(key ? { singletonKey: key } : {}) })
    },
    async daily(which, payload) {
      await boss.send(which.name, payload as object, { singletonSeconds: DAY_SECONDS })
    },
    wake(which) {
      for (const worker of workers.get(which.name) ?? []) boss.notifyWorker(worker)
    },
    async work(jobs, services) {
      for (const one of jobs) {
        for (let at = 0; at < one.concurrency(services); at++) {
          const worker = await boss.work(one.name, { pollingIntervalSeconds: 0.5, batchSize: 1 }, async ([claimed]) => {
            try {
              await one.run(one.payload.parse(claimed?.data), services)
            } catch (error) {
              // The queue tries it again, and gives it up in the end, without a word.
              services.errors.report(faultOf(error, { call: `job ${one.name}` }))
              services.log.error({ job: one.name, reason: reasonOf(error) }, 'a job failed')
              throw error
            }
          })
          workers.set(one.name, [...(workers.get(one.name) ?? []), worker])
        }
      }
    },
    stop() {
      stopping = true
      return boss.stop({ graceful: true, timeout: 20_000 })
    },
  }
}
