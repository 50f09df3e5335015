import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Its next step while it answers piece by piece: write a piece, wait some milliseconds or for a word, or end as no service should. */
export type Step =
  | string
  | number
  | Promise<unknown>
  /** The connection is cut. */
  | 'DIE'
  /** The answer ends politely, without saying that it is complete. */
  | 'LEAVE'
  /** An error of the service in the middle. */
  | 'ERR'

/** A local service that speaks the OpenAI protocol and records everything it receives. */
export interface AiPeer {
  url: string
  heard: { path: string; key: string; text: string }[]
  /** Its next answer; 'hang' keeps the caller waiting after the headers, and an object is content of another kind or a redirect. */
  say: string | number | 'hang' | { content: unknown } | { goTo: string }
  /** How it answers callers that ask for pieces, unless `say` is a status. */
  steps: readonly Step[]
  /** Callers that left before their answer was complete. */
  left: number
  server: Server
  close: () => void
}

export async function startAiPeer(): Promise<AiPeer> {
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      peer.heard.push({ path: request.url ?? '', key: String(request.headers.authorization), text })
      response.once('close', () => {
        if (!response.writableFinished) peer.left++
      })
      if (typeof peer.say === 'number') {
        const head = { 'content-type': 'application/json' }
        return response.writeHead(peer.say, head).end('{"error":{"message":"secret"}}')
      }
      if (typeof peer.say === 'object' && 'goTo' in peer.say)
        return response.writeHead(307, { location: peer.say.goTo }).end()
      if (JSON.parse(text).stream) return void answerInPieces(peer.steps, response)
      response.writeHead(200, { 'content-type': 'application/json' })
      if (peer.say === 'hang') return response.write('{')
      const message = { role: 'assistant', content: typeof peer.say === 'object' ? peer.say.content : peer.say }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      return response.end(JSON.stringify({ id: 'c1', object: 'chat.completion', created: 1, model: 'small', choices }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const peer: AiPeer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    heard: [],
    say: 'x',
    steps: [],
    left: 0,
    server,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return peer
}

async function answerInPieces(steps: readonly Step[], response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const put = (delta: object, finish_reason: string | null) => {
    const choices = [{ index: 0, delta, finish_reason }]
    const chunk = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'small', choices }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  put({ role: 'assistant', content: '' }, null)
  for (const step of steps) {
    if (step === 'DIE') return void response.destroy()
    if (step === 'LEAVE') return void response.end()
    if (step === 'ERR') return void response.end('data: {"error":{"message":"secret"}}\n\n')
    if (typeof step === 'number') await wait(step, undefined, { ref: false })
    else if (typeof step !== 'string') await step
    else put({ content: step }, null)
  }
  put({}, 'stop')
  response.end('data: [DONE]\n\n')
}
