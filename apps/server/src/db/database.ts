import { Kysely, type Transaction } from 'kysely'
import pg from 'pg'
import { TracedDialect } from '../gateways/telemetry/traced-dialect.ts'
import { STATEMENT_MS, watchPool } from './deadline.ts'
import type { DB } from './schema.generated.ts'

export type Database = Kysely<DB>
export type Tx = Transaction<DB>

// Counts and cents fit a double exactly (2^53), and a day is handled as its ISO text: no driver-made Dates or strings to trip over.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
/** bigint[]: ids of a scope are whole numbers wherever they come from. */
const INT8_LIST = 1016 as typeof pg.types.builtins.INT8
pg.types.setTypeParser(INT8_LIST, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)))
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

export interface Pools {
  /** Tenant data, behind row-level security: use through `inScope` only. */
  app: Database
  /** Sign-in, sessions, keys, mail and the upload queue. */
  system: Database
  /** The support console's calls over all companies: no patient, no script, no text of a message. */
  staff: Database
  /** The raw pool behind `app`, for COPY. */
  appPool: pg.Pool
  /** Connections now, by role: in use, idle, and those waiting for one. */
  use: () => Record<string, { in_use: number; idle: number; waiting: number }>
  /** Most connections, by role. */
  limits: Readonly<Record<string, number>>
  close: () => Promise<void>
}

/**
 * How a cluster (decision 067) is to treat our statements; elsewhere nobody reads these settings. Its workers are told whose data a
 * transaction may see. A join of theirs with a table of the coordinator is an error, for some forms of it would stop the whole coordinator; an
 * insert that joins so is not caught by this.
 */
const CLUSTER = '-c citus.propagate_set_commands=local -c citus.local_table_join_policy=never'

/**
 * A machine of ours that lost its power or its network says no goodbye: PostgreSQL asks after a minute without a word, and lets its locks go. By
 * itself it would after two hours, where it waits for the next row of a COPY.
 */
export const KEEP_ALIVE = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3'

/** What every connection of ours asks for beside its role. A busy PostgreSQL looks every 2 s whether anybody still waits. */
const CONNECTION = `-c statement_timeout=${STATEMENT_MS} -c client_connection_check_interval=2s ${KEEP_ALIVE} ${CLUSTER}`

/** Behind the role in a connection's name: its process knows sealed contacts. Versions before this one named it by the role alone. */
export const SEALS = 'seals'

/**
 * Opens a pool whose connections take a role at start-up, so a query never runs with the rights of the login. Idle connections that break
 * are dropped by the pool and reported, not thrown: the next query opens a new one. One that no longer answers is given up (see
 * deadline.ts).
 */
export function openPool(url: string, role: string, max: number, onError: (error: Error) => void): pg.Pool {
  const made = new pg.Pool({
    connectionString: url,
    max,
    // Temporary tables of a load stay in memory: PostgreSQL's 8 MB would write them out and read them back.
    options: `-c role=${role} ${CONNECTION} -c idle_in_transaction_session_timeout=120s -c temp_buffers=128MB`,
    application_name: `${role} ${SEALS}`,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  watchPool(made)
  made.on('error', onError)
  // A connection that breaks while checked out reports here; its query fails on its own.
  made.on('connect', (client) => client.on('error', onError))
  return made
}

/** Opens the pools, one for each role. */
export function openPools(url: string, onError: (error: Error) => void, size = 16): Pools {
  const appPool = openPool(url, 'pillar_app', size, onError)
  const systemPool = openPool(url, 'pillar_system', 8, onError)
  const staffPool = openPool(url, 'pillar_staff', 4, onError)
  const kysely = (made: pg.Pool, role: string) => new Kysely<DB>({ dialect: new TracedDialect(role, { pool: made }) })
  const app = kysely(appPool, 'app')
  const system = kysely(systemPool, 'system')
  const staff = kysely(staffPool, 'staff')
  const close = async () => void (await Promise.all([app.destroy(), system.destroy(), staff.destroy()]))
  const use = () => ({ app: useOf(appPool), system: useOf(systemPool), staff: useOf(staffPool) })
  const limits = { app: size, system: 8, staff: 4 }
  return { app, system, staff, appPool, use, limits, close }
}

const useOf = ({ totalCount, idleCount, waitingCount }: pg.Pool) => ({
  in_use: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
})
