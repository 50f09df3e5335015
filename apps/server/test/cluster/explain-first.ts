import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { asOwner } from '../people.ts'
import type { TestServer } from '../server.ts'

type Query = (statement: unknown, ...more: unknown[]) => unknown

interface Ask {
  /** Which statements to explain. */
  statements: RegExp
  /** Options of `explain`, besides its format. */
  options: string
  /** Called with each statement and its plan as JSON; undefined if it cannot be explained. */
  hear: (statement: string, plan: unknown) => void
}

/** Explains every matching statement of a tenant before it runs, in the same transaction, and rolls back the effects of explaining. */
export async function explainTenants(server: TestServer, ask: Ask): Promise<void> {
  const { appPool } = server.services.pools
  appPool.on('connect', (client) => explainFirst(client, ask))
  // Open connections would stay unwatched, so they are closed and the pool opens new ones.
  await asOwner(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'pillar_app%'`,
  )
  while (appPool.totalCount > 0) await sleep(10)
}

function explainFirst(client: pg.PoolClient, { statements, options, hear }: Ask): void {
  const run = client.query.bind(client) as Query
  // All are sent before any is awaited: statements of a connection may be sent one behind the other. On a cluster a join of temporary
  // tables cannot be explained, because the plan is requested on a separate connection; that leaves no trace in the transaction.
  const explained = async (statement: string, more: unknown[]) => {
    const values = Array.isArray(more[0]) ? more[0] : []
    const quietly = (text: string, of?: unknown[]) =>
      (run(text, of) as Promise<pg.QueryResult>).catch(() => null as pg.QueryResult | null)
    const [, answer] = [
      quietly('savepoint watched'),
      quietly(`explain (${options}, format json) ${statement}`, values),
      quietly('rollback to savepoint watched'),
    ]
    const done = run(statement, ...more)
    hear(statement, (await answer)?.rows[0]?.['QUERY PLAN'])
    return done
  }
  // A copy continues as the stream it is.
  const watched: Query = (statement, ...more) =>
    typeof statement === 'string' && statements.test(statement) ? explained(statement, more) : run(statement, ...more)
  client.query = watched as typeof client.query
}
