import { capital } from '@pillar/domain/text/sentence'
import pg from 'pg'
import type { Env } from '../env.ts'

/** The database could not be reached, or its answer did not come. */
export class DatabaseAway extends Error {
  /** SQLSTATE of a lost connection, for code that looks at SQLSTATEs. */
  readonly code = '08006'
  /** The connection was lost during the commit of a transaction that may have written; whether it committed is unknown. */
  readonly inDoubt: boolean

  constructor(cause: unknown, inDoubt = false) {
    super(`the database is away: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'DatabaseAway'
    this.inDoubt = inDoubt
  }
}

/** How a cluster's coordinator reports that a worker went away in the middle of a statement: an error without a code of its own. */
const WORKER_AWAY = /^(terminating connection|failure on connection)/

/**
 * Whether a driver error means that the connection is lost: PostgreSQL or a worker behind it went away, the network failed, or the client
 * was closed.
 */
export function isLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    const { code = '', message } = error
    return /^(08|57P0)/.test(code) || (code === 'XX000' && WORKER_AWAY.test(message))
  }
  const { code, syscall, message } = error as NodeJS.ErrnoException
  return (
    syscall !== undefined ||
    /^(ECONN|EPIPE|ETIMEDOUT)/.test(code ?? '') ||
    /^(Connection terminated|Connection ended|Client has encountered|Client was closed|timeout)/i.test(message ?? '')
  )
}

/** SQLSTATE: a standby, or a server in read-only mode, which some enter by themselves when their disk is full. */
export const READ_ONLY = '25006'

/** Codes of PostgreSQL and of the system for a full disk or a used-up quota. */
const DISK_FULL = /^(53100|ENOSPC|EDQUOT)$/
/** How a program's output reports them; the second is PostgreSQL's hint after a write that went only halfway. */
const DISK_FULL_WORDS = /No space left on device|Check free disk space|Disk quota exceeded/

/** Whether something failed because a disk is full: an error with a code, or the last output of a program. */
export function isDiskFull({ code = '', message }: NodeJS.ErrnoException): boolean {
  return DISK_FULL.test(code) || DISK_FULL_WORDS.test(message)
}

/** An error as a sentence for whoever starts Pillar or runs a command. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Error && isDiskFull(error)) return 'The disk is full. Make room and try again: nothing is lost.'
  if ((error as NodeJS.ErrnoException)?.code === READ_ONLY)
    return 'The database takes no writes: it is a standby, or still replays its log after a restore, or is set to be read-only. Try again once "select pg_is_in_recovery()" says f.'
  return error instanceof Error ? error.message : String(error)
}

/**
 * A separate connection, outside the pools. If it is lost, its queries fail; the driver's event, which nobody else handles, does not end
 * the process.
 * @throws Error of the driver when the database refuses the connection
 */
export async function openClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** How long to wait for a database that does not answer. */
const CONNECT_MS = 10_000

/**
 * Checks, before a start or a migration does anything else, that an external database lets us in.
 * @throws Error naming the setting and the host that do not let us in
 */
export async function refuseAway(
  env: Pick<Env, 'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'MIGRATE'>,
  waitMs = CONNECT_MS,
): Promise<void> {
  await enter('DATABASE_URL', env.DATABASE_URL, waitMs)
  if (env.MIGRATE === 'on') await enter('DATABASE_OWNER_URL', env.DATABASE_OWNER_URL, waitMs)
}

/** How PgBouncer refuses a connection that brings options, unless it is told to ignore them. */
const OPTIONS_REFUSED = /unsupported startup parameter/

/** Any option shows whether options arrive; this one exists before a migration has made the roles. */
const MARK = '-c pillar.options=kept'

/**
 * Opens one connection to see whether Pillar can work there. Behind a pooler that drops a connection's options, or with others in the
 * address, every query would have the login's own rights instead of the role's that keeps companies apart.
 * @throws Error naming the setting and the host, if they do not let us in, drop or replace options, or cannot keep every letter
 */
export async function enter(setting: string, url: string | undefined, waitMs = CONNECT_MS): Promise<void> {
  if (!url) return
  const waits = { connectionTimeoutMillis: waitMs, query_timeout: waitMs }
  const client = new pg.Client({ connectionString: url, options: MARK, ...waits })
  client.on('error', () => {})
  const place = () => `the database that ${setting} names (${client.database} at ${client.host}:${client.port})`
  const found = await lookAround(client).catch((error: Error) => {
    // For a host with several addresses the driver gives one error per address, and no message of its own.
    const { message } = error instanceof AggregateError ? (error.errors.at(-1) as Error) : error
    if (OPTIONS_REFUSED.test(message)) return { kept: null, encoding: 'UTF8' }
    throw new Error(`Pillar cannot enter ${place()}: ${message}.`, { cause: error })
  })
  if (found.kept !== 'kept' && new URL(url).searchParams.has('options'))
    throw new Error(
      `${setting} gives connections options of its own (options=…), which would replace Pillar's: its roles, which keep companies apart, ` +
        'would not take effect. Leave them out; "alter role … set …" sets the same for its login.',
    )
  if (found.kept !== 'kept')
    throw new Error(
      `Between Pillar and ${place()} is a pooler, such as PgBouncer, that does not pass on a connection's options: Pillar's roles, which keep ` +
        'companies apart, would not take effect. Connect to PostgreSQL itself. See docs/operations.md, PostgreSQL.',
    )
  if (found.encoding !== 'UTF8')
    throw new Error(
      `${capital(place())} stores text as ${found.encoding}, which has no room for every name and text. Make one that has, with ` +
        `"create database … encoding 'UTF8' template template0".`,
    )
}

async function lookAround(client: pg.Client): Promise<{ kept: string | null; encoding: string }> {
  await client.connect()
  try {
    const { rows } = await client.query<{ kept: string | null; encoding: string }>(
      `select current_setting('pillar.options', true) as kept, current_setting('server_encoding') as encoding`,
    )
    return rows[0]!
  } finally {
    await client.end()
  }
}
