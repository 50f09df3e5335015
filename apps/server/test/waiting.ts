import { expect } from 'vitest'
import { asOwner } from './people.ts'
import type { TestServer } from './server.ts'

/** The statements that wait for a lock in a test's database. @param like only those that match this pattern, in either case */
export async function waiting(server: TestServer, like = '%'): Promise<string[]> {
  const rows = await asOwner<{ query: string }>(
    server,
    `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`,
    [like],
  )
  return rows.map(({ query }) => query.trim())
}

/** Waits until so many statements wait for a lock that the test holds. */
export const untilWaiting = (server: TestServer, count = 1, like?: string) =>
  expect.poll(() => waiting(server, like)).toHaveLength(count)

/** Waits until no job of this name is waiting or at work. */
export const noJobLeft = (server: TestServer, name: string) =>
  expect
    .poll(() =>
      asOwner(server, `select 1 from pgboss.job where name = $1 and state in ('created', 'retry', 'active')`, [name]),
    )
    .toEqual([])
