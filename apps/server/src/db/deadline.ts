import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import type pg from 'pg'
import { DatabaseAway, isLost } from './away.ts'

/** PostgreSQL ends statements after this long unless their transaction says otherwise. */
export const STATEMENT_MS = 8_500
/** If PostgreSQL would have given up this long ago and no answer has come, none will: the connection is lost. */
const GRACE_MS = 2_000
/** The same for statements without a limit, such as a load's. */
const LONGEST_MS = 900_000
/** A request gets its answer within this time, whatever the database does. */
export const REQUEST_MS = 9_000

/** How long a request may still wait. */
export interface Deadline {
  /** On the clock of `performance`; Infinity once the request is answered, for work it left behind. */
  ends: number
}

const running = new AsyncLocalStorage<Deadline>()

/** Runs `work` so that no database query keeps it waiting beyond the deadline; a late query is ended together with its connection. */
export function withDeadline<T>(deadline: Deadline, work: () => T): T {
  return running.run(deadline, work)
}

/** Runs `work` that a request started but that serves others too, without that request's deadline: its queries keep their own limits. */
export function withoutDeadline<T>(work: () => T): T {
  return running.exit(work)
}

/** A deadline this many milliseconds from now, or the running request's if that comes first. */
export const deadlineIn = (ms: number): Deadline => ({
  ends: Math.min(performance.now() + ms, running.getStore()?.ends ?? Number.POSITIVE_INFINITY),
})

/** Milliseconds the running request has left; Infinity outside a request. */
const left = (): number => (running.getStore()?.ends ?? Number.POSITIVE_INFINITY) - performance.now()

/**
 * Gives every query of a pool a limit on our side, because a frozen or cut-off database says nothing at all. The connection of a late query
 * is destroyed (PostgreSQL then rolls back) together with idle ones, and the pool opens new ones. The limit follows the transaction's own
 * `statement_timeout`. COPY has none: only a load uses it, and the load's claim has a lease. Queries and `connect` throw DatabaseAway for a
 * lost connection.
 */
export function watchPool(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('remove', (client) => idle.delete(client))
  pool.on('release', (error, client) => void (error || idle.add(client)))
  // When one connection falls silent, those opened before it are lost too: opening new ones is better than waiting for each.
  const dropIdle = () => {
    for (const client of idle) streamOf(client).destroy(new Error('a connection beside it fell silent'))
  }
  pool.on('connect', (client) => watchClient(client, dropIdle))
  const connect = pool.connect.bind(pool) as (callback?: unknown) => Promise<pg.PoolClient>
  // `pool.query` passes a callback; its query is limited all the same.
  pool.connect = ((callback?: unknown) => (callback ? connect(callback) : inTime(connect()))) as typeof pool.connect
}

/** The socket of a connection, missing from the driver's types. */
const streamOf = (client: pg.PoolClient) => (client as unknown as { connection: { stream: Socket } }).connection.stream

/** A connection of the pool, unless the request's time is up first; a late connection goes back to the pool. */
async function inTime(coming: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  let late = false
  coming.then(
    (client) => late && client.release(),
    () => {},
  )
  try {
    return await beforeDeadline(coming)
  } catch (error) {
    late = true
    throw isLost(error) ? new DatabaseAway(error) : error
  }
}

/** The result of `coming`, unless the running request's time is up first. @throws DatabaseAway if so */
export async function beforeDeadline<T>(coming: Promise<T>): Promise<T> {
  const ms = left()
  if (ms === Number.POSITIVE_INFINITY) return coming
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new DatabaseAway('the time of this request is over')), Math.max(0, ms))
  })
  try {
    return await Promise.race([coming, over])
  } finally {
    clearTimeout(timer)
  }
}

interface Watch {
  statementMs: number
  readOnly: boolean
  /** A commit that may have written something is in progress: losing the connection now leaves it in doubt. */
  committing: boolean
  lost: DatabaseAway | null
}

function watchClient(client: pg.PoolClient, dropIdle: () => void): void {
  const ask = client.query.bind(client) as (...asked: unknown[]) => unknown
  const watch: Watch = { statementMs: STATEMENT_MS, readOnly: false, committing: false, lost: null }
  const lose = (why: DatabaseAway) => {
    watch.lost = why
    streamOf(client).destroy()
  }
  client.on('error', (error) => {
    watch.lost ??= new DatabaseAway(error, watch.committing)
  })
  client.query = ((...asked: unknown[]) => {
    const text = typeof asked[0] === 'string' ? asked[0] : ''
    note(watch, text)
    const ms = Math.min(watch.statementMs + GRACE_MS, left())
    if (ms <= 0 && !watch.lost) lose(new DatabaseAway('the time of this request is over'))
    // The rollback that follows must not hide the cause.
    if (watch.lost && !text) throw watch.lost
    if (watch.lost) return Promise.reject(watch.lost)
    const inDoubt = /^commit\b/i.test(text) && !watch.readOnly
    watch.committing = inDoubt
    const answer = ask(...asked)
    if (!(answer instanceof Promise)) return answer
    const timer = setTimeout(() => {
      lose(new DatabaseAway(`no answer in ${Math.round(ms)} ms`, inDoubt))
      dropIdle()
    }, ms)
    return answer
      .catch((error: unknown) => {
        if (isLost(error)) watch.lost ??= new DatabaseAway(error, inDoubt)
        throw watch.lost ?? error
      })
      .finally(() => {
        clearTimeout(timer)
        watch.committing = false
      })
  }) as typeof client.query
}

/** Follows what our own statements say about their transaction. */
function note(watch: Watch, text: string): void {
  if (/^(begin|start transaction)\b/i.test(text)) {
    watch.statementMs = STATEMENT_MS
    watch.readOnly = false
  } else if (/^set transaction read only/i.test(text)) {
    watch.readOnly = true
  }
  const [, amount, unit] = /^set local statement_timeout = '?(\d+)(s|ms)?'?/i.exec(text) ?? []
  if (amount === undefined) return
  watch.statementMs = Number(amount) * (unit === 's' ? 1000 : 1) || LONGEST_MS
}
