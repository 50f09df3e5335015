import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HandOver, LookUp, OutgoingSms, SmsGateway } from '../../src/gateways/gateway.ts'

/** What the gateway does with one hand-over of a message. `lost`: it accepts the message, but its answer never arrives. */
export type Fate = 'accept' | 'reject' | 'later' | 'lost' | 'reset'

/** A gateway that remembers everything it received. */
export class FakePhones {
  /** By reference: the accepted text. */
  readonly accepted = new Map<string, OutgoingSms>()
  /** References handed over again after they had been accepted. */
  readonly repeats: string[] = []
  /** Hand-overs of each reference, accepted or not. */
  readonly tries = new Map<string, number>()
  /** References that were looked up. */
  readonly asked = new Set<string>()
  fate: (message: OutgoingSms, attempt: number) => Fate = () => 'accept'
  /** Whether a look-up knows for certain what it never had. */
  exact = true
  /** Delay before it answers. */
  delayMs = 0

  async send(messages: readonly OutgoingSms[]): Promise<HandOver[]> {
    const answers = messages.map((message) => this.#take(message))
    if (this.delayMs > 0) await new Promise((done) => setTimeout(done, this.delayMs))
    return answers
  }

  #take(message: OutgoingSms): HandOver {
    const attempt = (this.tries.get(message.reference) ?? 0) + 1
    this.tries.set(message.reference, attempt)
    const fate = this.fate(message, attempt)
    if (fate === 'reject') return { kind: 'rejected', reason: 'Number not in service' }
    if (fate === 'later') return { kind: 'later', seconds: 0.01, reason: 'Busy' }
    if (fate === 'reset') return { kind: 'unknown', reason: 'The connection broke off' }
    if (this.accepted.has(message.reference)) this.repeats.push(message.reference)
    this.accepted.set(message.reference, message)
    return fate === 'lost'
      ? { kind: 'unknown', reason: 'No answer' }
      : { kind: 'accepted', gatewayRef: `g-${message.reference}` }
  }

  async lookUp(messages: readonly { reference: string }[]): Promise<LookUp[]> {
    return messages.map(({ reference }) => {
      this.asked.add(reference)
      if (this.accepted.has(reference)) {
        return { kind: 'accepted', gatewayRef: `g-${reference}`, receipt: null, reason: null }
      }
      return this.exact ? { kind: 'absent' } : { kind: 'unsure' }
    })
  }

  /** The gateway as the server sees it. */
  gateway(perSecond = Number.POSITIVE_INFINITY): SmsGateway {
    return {
      name: 'fake',
      simulated: true,
      perSecond,
      defaultSender: '+61400000000',
      send: (messages) => this.send(messages),
      lookUp: (messages) => this.lookUp(messages),
    }
  }

  /** Serves it to other processes over HTTP; `gatewayAt` is the other end. */
  async listen(): Promise<{ url: string; close: () => Promise<void> }> {
    const server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const answer = request.url === '/send' ? await this.send(JSON.parse(text)) : await this.lookUp(JSON.parse(text))
      response.end(JSON.stringify(answer))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: async () => {
        server.closeAllConnections()
        await new Promise((done) => server.close(done))
      },
    }
  }
}

/** Fake phones in another process. A broken hand-over is unknown; a look-up that fails is unsure. */
export function gatewayAt(url: string, perSecond = Number.POSITIVE_INFINITY): SmsGateway {
  const post = async <T>(path: string, messages: readonly unknown[]): Promise<T[]> =>
    (await (await fetch(url + path, { method: 'POST', body: JSON.stringify(messages) })).json()) as T[]
  return {
    name: 'fake',
    simulated: true,
    perSecond,
    defaultSender: '+61400000000',
    send: (messages) =>
      post<HandOver>('/send', messages).catch(() => messages.map(() => ({ kind: 'unknown', reason: 'broken off' }))),
    lookUp: (messages) => post<LookUp>('/look-up', messages).catch(() => messages.map(() => ({ kind: 'unsure' }))),
  }
}
