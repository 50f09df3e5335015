import pg from 'pg'

/** The database could not be asked, or its answer did not come. */
export class DatabaseAway extends Error {
  /** SQLSTATE of a lost connection: what looks at codes treats it as one. */
  readonly code = '08006'
  /** The connection was lost while a transaction that may have written was committed: whether it was is not known. */
  readonly inDoubt: boolean

  constructor(cause: unknown, inDoubt = false) {
    super(`the database is away: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'DatabaseAway'
    this.inDoubt = inDoubt
  }
}

/** How the coordinator of a cluster says that a worker went away in the middle of a statement, as an error without a code of its own. */
const WORKER_AWAY = /^(terminating connection|failure on connection)/

/**
 * Whether an error of the driver means that its connection is lost: PostgreSQL going away, a worker behind it, the network, or a client that
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
