import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate'
import type pg from 'pg'
import { isLost, openClient } from '../away.ts'
import { KEEP_ALIVE, SAME_EVERYWHERE } from '../database.ts'
import { refuseUnable } from './able.ts'
import { holderWatch, migratorOf } from './blocker.ts'
import { FILES, LET_OWNER_SEE, LOCK_TIMEOUT } from './files.ts'
import { refuseHalfRestored } from './whole.ts'

export const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url))

/** The migrating connection's name in pg_stat_activity. */
export const MIGRATOR = 'pillar_migrate'

/** A lock was not granted in time; or the migration was ended to resolve a deadlock. */
const NO_LOCK = ['55P03', '40P01']

/** Milliseconds between tries for a lock, so that others get their turn. About a minute including the waits of the tries themselves. */
const PAUSES = [1000, 2000, 4000, 8000, 8000, 8000, 8000]

/** How long to wait for another process that is migrating: migrations of large tables take that long. */
const OTHER_MS = 30 * 60_000

/**
 * The backend of a killed migrator keeps working and holds all its locks until its statement ends, unless PostgreSQL checks that the client is
 * still there. If the client's machine is gone, only keep-alives reveal it.
 */
const NOTICED = `-c client_connection_check_interval=2s ${KEEP_ALIVE} ${SAME_EVERYWHERE}`

export interface MigrationOptions {
  folder?: string
  pauses?: readonly number[]
  /** Milliseconds to wait for another process that is migrating. */
  othersMs?: number
  /** Called for each migration applied, with the milliseconds it took, including tries that got no lock. */
  applied?: (name: string, ms: number) => void
}

/**
 * Applies the migrations a database lacks, each in a transaction of its own, while others may be at work: no statement waits more than 2 s
 * for a lock, since everybody who comes later waits behind it. One that got none, or that PostgreSQL ended because it and another waited for
 * each other, is rolled back and tried again after a pause. Of processes that start at once one migrates and the others wait until it is done.
 * @throws Error naming who holds the lock when no try got it; the database's errors; when another process goes on migrating
 */
export async function runMigrations(ownerUrl: string, log: (line: string) => void, options: MigrationOptions = {}) {
  const open = () => openClient({ connectionString: ownerUrl, application_name: MIGRATOR, options: NOTICED })
  const [client, watcher] = await Promise.all([open(), open()])
  const holders = await holderWatch(watcher, client)
  try {
    await takeTurn(client, log, options.othersMs ?? OTHER_MS)
    await refuseUnable(client)
    await refuseHalfRestored(client)
    for (const wait of [...(options.pauses ?? PAUSES), null]) {
      try {
        return await apply(client, log, options)
      } catch (error) {
        // A lost connection has rolled back by itself, and must not hide the cause.
        await client.query('rollback').catch(() => {})
        if (!NO_LOCK.includes(String((error as NodeJS.ErrnoException).code))) throw error
        if (wait === null) throw new Error(noLock(holders.last()), { cause: error })
        log(`A migration waits for a lock held by ${holders.last()}; next try in ${wait / 1000} s.`)
        await pause(wait)
      }
    }
  } catch (error) {
    throw isLost(error) ? new Error(lost(error), { cause: error }) : error
  } finally {
    await holders.stop()
    await Promise.all([client.end(), watcher.end()])
  }
}

/** Milliseconds between checks whether the other migrating process is done, and between log lines about the wait. */
const [LOOK_MS, SAY_MS] = [1000, 60_000]

/** Waits to become the only migrating process. The lock is node-pg-migrate's own, so versions that rely on the library are kept out too. */
async function takeTurn(client: pg.Client, log: (line: string) => void, waitMs: number): Promise<void> {
  const began = performance.now()
  for (let said = -Infinity; ; await pause(LOOK_MS)) {
    const { rows } = await client.query(`select pg_try_advisory_lock(${PG_MIGRATE_LOCK_ID}) as ours`)
    if (rows[0].ours) return
    const other = await migratorOf(client)
    if (performance.now() - began >= waitMs)
      throw new Error(
        `Another process is migrating this database: ${other}. Try again when it is done, or end it ("select pg_terminate_backend(<process>)").`,
      )
    if (performance.now() - said < SAY_MS) continue
    log(`Another process is migrating this database: ${other}. It is waited for.`)
    said = performance.now()
  }
}

const lost = (error: unknown) =>
  `The connection that migrates was lost: ${(error as Error).message}. Migrations that are in stay in; once the database answers start again, which goes on from there.`

const noLock = (holder: string) =>
  `A migration found no moment without others: what it changes stays in use by ${holder}. Nothing of it was applied. Let that finish, or end it ("select pg_terminate_backend(<process>)"), then run "npm run migrate" again.`

async function apply(client: pg.Client, log: (line: string) => void, { folder, applied }: MigrationOptions) {
  await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`)
  // The login may have its own limit; once it has its locks, a migration may take as long as it needs.
  await client.query('set statement_timeout = 0')
  // A dump of a server whose owner bypasses them lacks the policies.
  await client.query(LET_OWNER_SEE)
  let running: { name: string; began: number } | null = null
  const finish = () => {
    if (running) applied?.(running.name, performance.now() - running.began)
    running = null
  }
  const hear = (line: string) => {
    const name = /^### MIGRATION (\S+) \(UP\) ###$/.exec(line)?.[1]
    if (!name) return
    finish()
    running = { name, began: performance.now() }
  }
  await runner({
    dbClient: client,
    noLock: true,
    dir: folder ?? migrationsFolder,
    migrationLoaderStrategies: [FILES],
    direction: 'up',
    migrationsTable: 'migration',
    checkOrder: true,
    singleTransaction: false,
    logger: { debug: () => {}, info: hear, warn: () => {}, error: (line) => void (retried(line) || log(line)) },
  })
  finish()
}

/** Whether a log line is about a lock that was not granted: that has its own message. */
const retried = (line: string) => /lock timeout|deadlock detected/.test(line)
