import { createServer, request } from 'node:http'

/** One address in front of both versions, as a proxy is, so that a page stays where it is while another version answers. */
export interface Door {
  url: string
  /** From now on every request goes to one of these ports: to the only one, or to any. */
  lead: (...ports: number[]) => void
  close: () => Promise<void>
}

/** @throws Error if the port is taken */
export async function openDoor(port: number): Promise<Door> {
  let to: number[] = []
  const server = createServer((asked, answer) => {
    const { method, url, headers } = asked
    const target = to[Math.floor(Math.random() * to.length)]
    const passed = request({ host: '127.0.0.1', port: target, method, path: url, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', done)
  })
  return {
    url: `http://localhost:${port}`,
    lead: (...ports) => {
      to = ports
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
