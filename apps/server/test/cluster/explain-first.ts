import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { asOwner } from '../people.ts'
import type { TestServer } from '../server.ts'

type Query = (statement: unknown, ...more: unknown[]) => unknown

interface Ask {
  /** Which statements are explained. */
  statements: RegExp
  /** Options of `explain`, beside its format. */
  options: string
  /** Hears each statement with its plan as JSON; undefined where it cannot be explained. */
  hear: (statement: string, plan: unknown) => void
}

/** Has every such statement of a tenant explained before it runs, in the transaction in which it runs, and what explaining did taken back. */
export async function explainTenants(server: TestServer, ask: Ask): Promise<void> {
  const { appPool } = server.services.pools
  appPool.on('connect', (client) => explainFirst(client, ask))
  // Connections that are open already would stay unwatched: they are closed, and the pool opens new ones.
  await asOwner(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'pillar_app%'`,
  )
  while (appPool.totalCount > 0) await sleep(10)
}

function explainFirst(client: pg.PoolClient, { statements, options, hear }: Ask): void {
  const run = client.query.bind(client) as Query
  // All are sent before anything is waited for: statements of a connection may be sent one behind the other. On a cluster what joins temporary
  // tables cannot be explained, for it asks for the plan on a connection of its own: that leaves no trace in the transaction.
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
  // A copy goes on as the stream it is.
  const watched: Query = (statement, ...more) =>
    typeof statement === 'string' && statements.test(statement) ? explained(statement, more) : run(statement, ...more)
  client.query = watched as typeof client.query
}
