import { explainTenants } from '../cluster/explain-first.ts'
import type { TestServer } from '../server.ts'

/** A step of a statement that was repeated, and the total rows it read. */
export interface Visit {
  statement: string
  step: string
  times: number
  rows: number
}

/** The tenants' statements, each on one line, and their repeated steps. */
export interface Watched {
  statements: string[]
  visits: Visit[]
}

/** As PostgreSQL explains it: rows are per execution. */
export interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'CTE Name'?: string
  'Actual Loops': number
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Filter?: string
  Plans?: Plan[]
}

const PLANNED = /^\s*(select|with|insert|update|delete|declare|create temp table \S+ on commit drop as)\b/i
/** A list without an index: it is scanned for each row. */
const IN_A_LIST = /\bid = ANY \(\(InitPlan/
const OF_THE_SCOPE = /location_id = ANY \(\(InitPlan \d+\)\.col1\)/g

/** Runs every statement of a tenant's transaction once more before the real run, explained, and rolls that back. */
export async function watchVisits(server: TestServer): Promise<Watched> {
  const seen: Watched = { statements: [], visits: [] }
  const hear = (statement: string, explained: unknown) => {
    const line = statement.replaceAll(/\s+/g, ' ').trim()
    seen.statements.push(line)
    const plan = (explained as [{ Plan: Plan }] | undefined)?.[0].Plan
    if (plan) seen.visits.push(...visitsOf(plan, line))
  }
  await explainTenants(server, { statements: PLANNED, options: 'analyze, timing off', hear })
  return seen
}

/** The repeated steps of a plan and its parts. */
export function visitsOf(plan: Plan, statement: string): Visit[] {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Join Filter': unjoined = 0 } = plan
  const each = plan['Actual Rows'] + filtered + unjoined
  const step = [plan['Node Type'], plan['Relation Name'] ?? plan['CTE Name']].filter(Boolean).join(' ')
  const listed = IN_A_LIST.test(plan.Filter?.replaceAll(OF_THE_SCOPE, '') ?? '')
  const times = listed ? each : plan['Actual Loops']
  // A step done once reads its rows once, and a look-up by key finds one row.
  const again = times > 1 && each > 1 ? [{ statement, step, times, rows: Math.round(times * each) }] : []
  return [...again, ...(plan.Plans ?? []).flatMap((part) => visitsOf(part, statement))]
}
