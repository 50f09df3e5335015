import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HeardRequest {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
}

export interface Peer {
  url: string
  heard: HeardRequest[]
  /** How the next requests are answered; returning false destroys the connection. */
  answer: (heard: HeardRequest, response: ServerResponse) => false | undefined | Promise<false | undefined>
  close: () => Promise<void>
}

/** A server on this machine that plays a gateway over real HTTP. */
export async function startPeer(): Promise<Peer> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const url = new URL(request.url ?? '/', 'http://peer')
    const heard = { method: request.method ?? '', url, headers: request.headers, body }
    peer.heard.push(heard)
    if ((await peer.answer(heard, response)) === false) request.socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const peer: Peer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: [],
    answer: (_heard, response) => void response.end('ok'),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return peer
}
