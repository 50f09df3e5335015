import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import { TLSSocket } from 'node:tls'
import { wordsOf } from './silence.ts'

/** A request to a gateway. */
export interface HttpCall {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body: string | null
  /** Gives up before the usual 12 s. */
  until?: AbortSignal
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

const CONNECT_MS = 4_000
const ANSWER_MS = 8_000
/** Twilio's list of 200 messages to one number is some 200 KB. */
const BODY_LIMIT = 1_000_000

/** The option of an agent for the proxy for outgoing connections, which Node gives its own `agent` alone. */
export function proxyOf(agent: http.Agent): Pick<http.AgentOptions, 'proxyEnv'> {
  const { options } = agent as http.Agent & { options: http.AgentOptions }
  return { proxyEnv: options.proxyEnv }
}

/** No answer came. `left` says whether the request may have reached the other side: only if not may it be repeated. */
export class NoAnswer extends Error {
  readonly left: boolean
  constructor(message: string, left: boolean) {
    super(message)
    this.left = left
  }
}

/**
 * Makes one request, once: follows no redirect and repeats nothing. Not `fetch`, because that does not tell whether a connection existed
 * when something went wrong, and everything here depends on that.
 * @throws NoAnswer within 12 s
 */
export function httpCall({ method, url, headers, body, until }: HttpCall): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    let connected = false
    const secure = url.startsWith('https:')
    const { Agent, globalAgent, request } = secure ? https : http
    const how = {
      method,
      headers: { ...headers, ...(body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
      // Uses a fresh connection: the other side may close an idle one at any moment, with or without having received the request.
      agent: new Agent({ keepAlive: false, ...proxyOf(globalAgent) }),
      ...(until ? { signal: until } : {}),
    }
    let sent: ClientRequest
    try {
      sent = request(url, how)
    } catch (error) {
      // HTTP does not allow this address or header.
      return reject(new NoAnswer(wordsOf(error as Error), false))
    }
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(new NoAnswer(wordsOf(error), connected))
    }
    const late = () => sent.destroy(new Error('it did not accept the connection in time'))
    let timer = setTimeout(late, CONNECT_MS)
    const begin = () => {
      // A process that slept gets the connection event before its timers: another may have sent the message meanwhile.
      if (performance.now() - began > CONNECT_MS) return void late()
      connected = true
      clearTimeout(timer)
      timer = setTimeout(() => sent.destroy(new Error('it did not answer in time')), ANSWER_MS)
      sent.end(body ?? undefined)
    }
    sent.on('socket', (socket) => {
      // Through a proxy's tunnel it arrives with TLS agreed.
      const open = socket instanceof TLSSocket && socket.authorized
      if (open) begin()
      else socket.once(secure ? 'secureConnect' : 'connect', begin)
    })
    sent.on('error', fail)
    sent.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        if (text.length < BODY_LIMIT) text += chunk
      })
      answer.on('error', fail)
      answer.on('end', () => {
        clearTimeout(timer)
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text.slice(0, BODY_LIMIT) })
      })
    })
  })
}

/**
 * `fetch` for a service outside: what we send goes to no other address, and an answer that does not end stops being read.
 * @throws Error for a redirect; reading the answer throws one beyond `most` bytes
 */
export async function shortAnswer(
  url: string | URL | Request,
  how?: RequestInit,
  most = BODY_LIMIT,
): Promise<Response> {
  const { body, status, headers } = await fetch(url, { ...how, redirect: 'error' })
  let read = 0
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, rest) {
      read += chunk.length
      if (read > most) throw new Error('its answer is too long')
      rest.enqueue(chunk)
    },
  })
  return new Response(body?.pipeThrough(counting), { status, headers })
}
