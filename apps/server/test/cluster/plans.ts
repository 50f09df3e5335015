import type { TestServer } from '../server.ts'
import { explainTenants } from './explain-first.ts'

/** A statement as a cluster would run it. */
export interface SeenPlan {
  statement: string
  /** The queries to the workers, each with the number of shards queried at once. */
  asked: { shards: number; query: string }[]
  /** Whether rows would travel between workers for a join. */
  repartitions: boolean
}

const READS_AND_WRITES = /^\s*(select|with|insert|update|delete)\b/i
/** A shard's name: its table's and a number. */
const SHARD = /\b([a-z_]+?)_\d{6,}\b/g
const SAME_PHARMACY = /location_id\)?\s*=\s*\(?[\w"]+\.location_id/

/**
 * Requests the cluster's plan for every statement of a tenant before it runs, in the same transaction.
 * @returns the plans for the workers so far
 */
export async function watchPlans(server: TestServer): Promise<SeenPlan[]> {
  const seen: SeenPlan[] = []
  const hear = (statement: string, explained: unknown) => {
    const plan = planOf(statement, explained)
    if (plan.asked.length > 0) seen.push(plan)
  }
  await explainTenants(server, { statements: READS_AND_WRITES, options: 'verbose, costs off', hear })
  return seen
}

/** Reads a plan from `explain (verbose, format json)`. */
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

/** Whether rows of several pharmacies' shards would be joined on anything but the pharmacy. */
export function fansOut({ asked, repartitions }: SeenPlan): boolean {
  return (
    repartitions ||
    asked.some(({ shards, query }) => {
      const tables = new Set([...query.matchAll(SHARD)].map(([, name]) => name))
      return shards > 1 && tables.size > 1 && !SAME_PHARMACY.test(query)
    })
  )
}
