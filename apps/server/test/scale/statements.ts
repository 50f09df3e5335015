import type pg from 'pg'

/** The statements sent over a pool while `work` runs, in order. */
export async function statementsOf(pool: pg.Pool, work: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = []
  const watch = (client: pg.PoolClient) => {
    const query = client.query
    client.query = ((...of: unknown[]) => {
      if (typeof of[0] === 'string') asked.push(of[0])
      return (query as (...same: unknown[]) => unknown).apply(client, of)
    }) as typeof client.query
    pool.once('release', (_, released) => {
      if (released === client) client.query = query
    })
  }
  pool.on('acquire', watch)
  try {
    await work()
  } finally {
    pool.off('acquire', watch)
  }
  return asked
}
