import pg from 'pg'
import type { TestServer } from '../server.ts'

/** A statement as a cluster would run it. */
export interface SeenPlan {
  statement: string
  /** What the workers are asked, each with the number of shards that are asked at once. */
  asked: { shards: number; query: string }[]
  /** Rows that would travel between workers to be joined. */
  repartitions: boolean
}

const READS_AND_WRITES = /^\s*(select|with|insert|update|delete)\b/i
/** A shard's name: its table's and a number. */
const SHARD = /\b([a-z_]+?)_\d{6,}\b/g
const SAME_PHARMACY = /location_id\)?\s*=\s*\(?[\w"]+\.location_id/

/**
 * Asks the cluster for the plan of every statement of a tenant before it runs, in the transaction in which it runs.
 * @returns what was planned so far for the workers
 */
export async function watchPlans(server: TestServer): Promise<SeenPlan[]> {
  const seen: SeenPlan[] = []
  const { appPool } = server.services.pools
  appPool.on('connect', (client) => explainFirst(client, seen))
  // Connections that are open already would stay unwatched: they are closed, and the pool opens new ones.
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'pillar_app'`,
  )
  await owner.end()
  return seen
}

type Query = (statement: unknown, ...more: unknown[]) => unknown

function explainFirst(client: pg.PoolClient, seen: SeenPlan[]): void {
  const run = client.query.bind(client) as Query
  // All are sent before anything is waited for: statements of a connection may be sent one behind the other. What joins temporary tables
  // cannot be explained, for the cluster asks for the plan on a connection of its own: that leaves no trace in the transaction.
  const explained = async (statement: string, more: unknown[]) => {
    const values = Array.isArray(more[0]) ? more[0] : []
    const quietly = (text: string, of?: unknown[]) =>
      (run(text, of) as Promise<pg.QueryResult>).catch(() => null as pg.QueryResult | null)
    const [, answer] = [
      quietly('savepoint watched'),
      quietly(`explain (verbose, costs off, format json) ${statement}`, values),
      quietly('rollback to savepoint watched'),
    ]
    const done = run(statement, ...more)
    const plan = planOf(statement, (await answer)?.rows[0]['QUERY PLAN'])
    if (plan.asked.length > 0) seen.push(plan)
    return done
  }
  // A copy goes on as the stream it is.
  const watched: Query = (statement, ...more) =>
    typeof statement === 'string' && READS_AND_WRITES.test(statement)
      ? explained(statement, more)
      : run(statement, ...more)
  client.query = watched as typeof client.query
}

/** Reads a plan as `explain (verbose, format json)` gives it. */
export function planOf(statement: string, plan: unknown): SeenPlan {
  const found: SeenPlan = { statement, asked: [], repartitions: false }
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (/MapMerge|Merge Task Count|Depended Jobs/.test(key)) found.repartitions = true
      if (key === 'Job') found.asked.push(...askedBy(value as Job))
      walk(value)
    }
  }
  walk(plan)
  return found
}

interface Job {
  'Task Count'?: number
  Tasks?: { Query?: string }[]
}

const askedBy = (job: Job) =>
  (job.Tasks ?? []).map((task) => ({ shards: job['Task Count'] ?? 0, query: task.Query ?? '' }))

/** Whether rows of several pharmacies' shards would be joined on something other than the pharmacy. */
export function fansOut({ asked, repartitions }: SeenPlan): boolean {
  return (
    repartitions ||
    asked.some(({ shards, query }) => {
      const tables = new Set([...query.matchAll(SHARD)].map(([, name]) => name))
      return shards > 1 && tables.size > 1 && !SAME_PHARMACY.test(query)
    })
  )
}
