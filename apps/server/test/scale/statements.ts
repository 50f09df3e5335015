import type pg from 'pg'

/** The statements sent over a pool while `work` runs, in order. */
export async function statementsOf(pool: pg.Pool, work: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = []
  const watched = new Map<pg.PoolClient, pg.PoolClient['query']>()
  const watch = (client: pg.PoolClient) => {
    if (watched.has(client)) return
    const query = client.query
    watched.set(client, query)
    client.query = ((...of: unknown[]) => {
      if (typeof of[0] === 'string') asked.push(of[0])
      return (query as (...same: unknown[]) => unknown).apply(client, of)
    }) as typeof client.query
  }
  pool.on('acquire', watch)
  try {
    await work()
  } finally {
    pool.off('acquire', watch)
    for (const [client, query] of watched) client.query = query
  }
  return asked
}
