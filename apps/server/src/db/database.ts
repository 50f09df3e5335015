import { Kysely, type Transaction } from 'kysely'
import pg from 'pg'
import type { Env } from '../env.ts'
import { TracedDialect } from '../gateways/telemetry/traced-dialect.ts'
import { STATEMENT_MS, watchPool } from './deadline.ts'
import type { DB } from './schema.generated.ts'

export type Database = Kysely<DB>
export type Tx = Transaction<DB>

// Counts and cents fit a double exactly (2^53), and a day is handled as its ISO text, so the driver makes no Dates or strings to trip over.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
/** bigint[]: the ids of a scope are whole numbers wherever they come from. */
const INT8_LIST = 1016 as typeof pg.types.builtins.INT8
pg.types.setTypeParser(INT8_LIST, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)))
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

export interface Pools {
  /** Tenant data, behind row-level security: use through `inScope` only. */
  app: Database
  /** Sign-in, sessions, keys, mail and the upload queue. */
  system: Database
  /** The support console's calls over all companies: no patients, no scripts, no message texts. */
  staff: Database
  /** The raw pool behind `app`, for COPY. */
  appPool: pg.Pool
  /** Connections now, by role: in use, idle, and callers waiting for one. */
  use: () => Record<string, { in_use: number; idle: number; waiting: number }>
  /** Most connections, by role. */
  limits: Readonly<Record<string, number>>
  close: () => Promise<void>
}

/**
 * How a cluster (decision 067) treats our statements; nothing else reads these settings. Workers learn whose data a transaction may see. A
 * worker join with a table of the coordinator is an error, because some forms of it would stop the whole coordinator; an insert that joins
 * this way is not caught.
 */
const CLUSTER = '-c citus.propagate_set_commands=local -c citus.local_table_join_policy=never'

/**
 * A machine of ours that lost power or network says no goodbye: PostgreSQL checks after a minute of silence and releases its locks. By
 * default it would take two hours while it waits for the next row of a COPY.
 */
export const KEEP_ALIVE = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3'

/**
 * What a server, database or login may have set otherwise, often by the country it was set up in: how values become text and back, where
 * tables are, how our SQL is read, and how transactions see each other's changes and wait for each other. Nor are statements compiled,
 * PostgreSQL's default for those it expects to be long: that took most of its processor time for a night's upload.
 */
export const SAME_EVERYWHERE =
  '-c timezone=UTC -c datestyle=iso,mdy -c intervalstyle=postgres -c bytea_output=hex -c extra_float_digits=1 -c jit=off ' +
  '-c default_transaction_isolation=read\\ committed -c lock_timeout=0 -c idle_session_timeout=0 ' +
  '-c search_path=public -c standard_conforming_strings=on -c transform_null_equals=off -c array_nulls=on'

/** What every connection sets besides its role. A busy PostgreSQL checks every 2 s whether the client is still there. */
const CONNECTION = `-c statement_timeout=${STATEMENT_MS} -c client_connection_check_interval=2s ${SAME_EVERYWHERE} ${KEEP_ALIVE} ${CLUSTER}`

/** Follows the role in a connection's name: its process knows sealed contacts. Earlier versions used the role alone. */
export const SEALS = 'seals'

/**
 * Opens a pool whose connections take a role at start-up, so a query never runs with the rights of the login. The pool drops and reports
 * idle connections that break, without throwing: the next query opens a new one. A connection that stops answering is given up (see
 * deadline.ts).
 */
export function openPool(url: string, role: string, max: number, onError: (error: Error) => void): pg.Pool {
  const made = new pg.Pool({
    connectionString: url,
    max,
    // Keeps a load's temporary tables in memory: PostgreSQL's default of 8 MB would write them out and read them back.
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

/**
 * The connections of the role app that a process opens at most. Each upload being loaded holds one for minutes and asks for another for a
 * moment: with as many uploads as connections, all would wait, and every STOP and text with them.
 */
export const appConnections = ({ ROLE, ETL_WORKERS }: Pick<Env, 'ROLE' | 'ETL_WORKERS'>): number =>
  14 + (ROLE === 'web' ? 2 : ETL_WORKERS)

/** Opens the pools, one per role. @param size the most connections of the role app */
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
