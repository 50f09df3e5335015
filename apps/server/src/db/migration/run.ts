import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate'
import type pg from 'pg'
import { openClient } from '../away.ts'
import { refuseUnable } from './able.ts'
import { holderWatch } from './blocker.ts'
import { FILES, LOCK_TIMEOUT } from './files.ts'

export const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url))

/** How the connection that migrates calls itself in pg_stat_activity. */
export const MIGRATOR = 'pillar_migrate'

/** A lock that did not come in time; or the migration was ended because it and another waited for each other. */
const NO_LOCK = ['55P03', '40P01']

/** Milliseconds between tries for a lock: others get their turn meanwhile. About a minute with what each try itself waits. */
const PAUSES = [1000, 2000, 4000, 8000, 8000, 8000, 8000]

export interface MigrationOptions {
  folder?: string
  pauses?: readonly number[]
  /** Hears each migration that is in, and how many milliseconds it took, tries that got no lock included. */
  applied?: (name: string, ms: number) => void
}

/**
 * Applies the migrations a database lacks, each in a transaction of its own, while others may be at work: no statement waits more than 2 s
 * for a lock, since everybody who comes later waits behind it. One that got none, or that PostgreSQL ended because it and another waited for
 * each other, is rolled back and tried again after a pause.
 * @throws Error naming who holds the lock when no try got it; the database's errors; when another process is migrating
 */
export async function runMigrations(ownerUrl: string, log: (line: string) => void, options: MigrationOptions = {}) {
  const open = () => openClient({ connectionString: ownerUrl, application_name: MIGRATOR })
  const [client, watcher] = await Promise.all([open(), open()])
  const holders = await holderWatch(watcher, client)
  try {
    // The number node-pg-migrate itself would lock: versions that leave it to it keep out of this one's way.
    const { rows } = await client.query(`select pg_try_advisory_lock(${PG_MIGRATE_LOCK_ID}) as ours`)
    if (!rows[0].ours) throw new Error('Another process is migrating this database. Try again when it is done.')
    await refuseUnable(client)
    for (const wait of [...(options.pauses ?? PAUSES), null]) {
      try {
        return await apply(client, log, options)
      } catch (error) {
        // A lost connection has rolled back by itself, and must not hide why.
        await client.query('rollback').catch(() => {})
        if (!NO_LOCK.includes(String((error as NodeJS.ErrnoException).code))) throw error
        if (wait === null) throw new Error(noLock(holders.last()), { cause: error })
        log(`A migration waits for a lock held by ${holders.last()}; next try in ${wait / 1000} s.`)
        await pause(wait)
      }
    }
  } finally {
    await holders.stop()
    await Promise.all([client.end(), watcher.end()])
  }
}

const noLock = (holder: string) =>
  `A migration found no moment without others: what it changes stays in use by ${holder}. Nothing of it was applied. Let that finish, or end it ("select pg_terminate_backend(<process>)"), then run "npm run migrate" again.`

async function apply(client: pg.Client, log: (line: string) => void, { folder, applied }: MigrationOptions) {
  await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`)
  // A login may have a limit of its own; what a migration does may take as long as it takes, once it has its locks.
  await client.query('set statement_timeout = 0')
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

/** Whether a line of the log is about a lock that did not come: that has a message of its own. */
const retried = (line: string) => /lock timeout|deadlock detected/.test(line)
