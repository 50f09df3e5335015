import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { expect } from 'vitest'
import type { Tx } from '../../src/db/database.ts'
import { asOwner } from '../people.ts'
import type { TestServer } from '../server.ts'
import type { Plan } from './visits.ts'

/** The statements of a query of the platform, each with the plan by which it ran. The query itself gets no rows. */
export async function plansOf(
  server: TestServer,
  query: (tx: Tx) => Promise<unknown>,
): Promise<{ statement: string; plan: Plan }[]> {
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const compiling = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void asked.push(query),
  })
  await query(compiling as unknown as Tx)
  expect(asked.length).toBeGreaterThan(0)
  const plans = []
  for (const { sql: statement, parameters } of asked) {
    const explain = `explain (analyze, timing off, format json) ${statement}`
    const [row] = await asOwner<{ 'QUERY PLAN': [{ Plan: Plan }] }>(server, explain, [...parameters])
    plans.push({ statement, plan: row!['QUERY PLAN'][0].Plan })
  }
  return plans
}
