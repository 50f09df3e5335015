import { connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  url: string
  /** Bytes passed towards the server over all connections. */
  passed: () => number
  connections: () => number
  close: () => Promise<void>
}

/**
 * A connection to `target` that breaks: each entry of `cuts` is one connection's allowance of bytes towards the server, after which both
 * ends are reset; 'answer' lets everything through and swallows the answer. Later connections are left intact.
 */
export async function cuttingProxy(target: string, cuts: readonly (number | 'answer')[]): Promise<CuttingProxy> {
  const port = Number(new URL(target).port)
  let passed = 0
  let made = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const cut = cuts[made++]
    const upstream = connect(port, '127.0.0.1')
    open.add(client).add(upstream)
    let here = 0
    const end = () => {
      client.resetAndDestroy()
      upstream.resetAndDestroy()
    }
    client.on('data', (chunk: Buffer) => {
      const allowed = typeof cut === 'number' ? chunk.subarray(0, Math.max(0, cut - here)) : chunk
      here += chunk.length
      passed += allowed.length
      upstream.write(allowed)
      // Gives the server a moment to read what it received: a reset drops data in transit.
      if (typeof cut === 'number' && here >= cut) setTimeout(end, 250)
    })
    upstream.on('data', (chunk) => (cut === 'answer' ? end() : client.write(chunk)))
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port: own } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${own}`,
    passed: () => passed,
    connections: () => made,
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
