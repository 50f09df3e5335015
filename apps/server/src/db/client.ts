import pg from 'pg'

/**
 * A connection of its own, outside of the pools. Where it is lost, what is asked of it fails; the driver's event about it, which nobody else
 * hears, does not end the process.
 * @throws Error of the driver when the database cannot be entered
 */
export async function openClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  await client.connect()
  return client
}
