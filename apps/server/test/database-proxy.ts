import { connect, createServer, type Socket } from 'node:net'

/** What the proxy does with traffic: passes everything, passes nothing without closing, or passes everything late. */
export type Way = 'open' | 'silent' | { lateMs: number }

export interface DatabaseProxy {
  /** The database through the proxy. */
  url: string
  /** Also applies to traffic waiting on open connections; swallowed traffic stays swallowed. */
  become: (way: Way) => void
  /** Resets every connection. */
  reset: () => void
  close: () => Promise<void>
}

/** A connection's first message without its `options`: two numbers of four bytes, then names and values, each ended by a zero. */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.toString('utf8', 8).split('\0')
  const at = words.indexOf('options')
  if (at !== -1) words.splice(at, 2)
  const body = Buffer.from(words.join('\0'))
  const head = Buffer.from(startup.subarray(0, 8))
  head.writeInt32BE(head.length + body.length)
  return Buffer.concat([head, body])
}

/** PostgreSQL's message that ends a connection before it is open. */
function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.from('E0000')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/**
 * A proxy to a PostgreSQL that can fall silent, become slow, or break.
 * @param options what becomes of a connection's options, as with PgBouncer's `ignore_startup_parameters` or without
 */
export async function databaseProxy(
  target: string,
  { options = 'passed' }: { options?: 'passed' | 'ignored' | 'refused' } = {},
): Promise<DatabaseProxy> {
  const to = new URL(target)
  const folder = to.searchParams.get('host')
  const port = Number(to.port || 5432)
  let way: Way = 'open'
  const open = new Set<Socket>()
  const pass = (from: Socket, other: Socket) => {
    from.on('data', (chunk: Buffer) => {
      if (way === 'open') other.write(chunk)
      else if (way !== 'silent') setTimeout(() => other.writable && other.write(chunk), way.lateMs)
    })
    from.on('error', () => other.destroy())
    from.on('close', () => other.destroy())
  }
  const server = createServer((client) => {
    const upstream = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, to.hostname)
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    }
    if (options === 'passed') pass(client, upstream)
    else
      client.once('data', (startup: Buffer) => {
        if (options === 'refused') return client.end(refusal('unsupported startup parameter: options'))
        upstream.write(withoutOptions(startup))
        pass(client, upstream)
      })
    pass(upstream, client)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = new URL(target)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    become(next) {
      way = next
    },
    reset() {
      for (const socket of open) if (socket.remotePort !== undefined) socket.resetAndDestroy()
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
