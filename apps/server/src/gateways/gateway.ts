import type { Receipt } from '@pillar/domain/message/message-state'

/** The time by this machine's clock, for gateways of their own such as in tests; a server gives them the time it goes by. */
export const systemTime = (): Date => new Date()

/** One text to hand over. `reference` is ours, unique for ever, and travels along as the idempotency key. */
export interface OutgoingSms {
  reference: string
  /** E.164. */
  to: string
  /** Number or alphanumeric name; null for the gateway's own sender. */
  from: string | null
  text: string
}

/** What became of handing one message over. */
export type HandOver =
  | { kind: 'accepted'; gatewayRef: string }
  /** For good: it will never be sent. The reason is in plain words. */
  | { kind: 'rejected'; reason: string }
  /** Surely not taken: it may be handed over again after so many seconds. */
  | { kind: 'later'; seconds: number; reason: string }
  /** Nobody can tell: it hung, or broke off after it had left. The gateway must be asked before anything else is done. */
  | { kind: 'unknown'; reason: string }

/** What a gateway says when asked for one of our references. */
export type LookUp =
  | { kind: 'accepted'; gatewayRef: string; receipt: Receipt | null; reason: string | null }
  /** It never had it, for certain: the message may be handed over again. */
  | { kind: 'absent' }
  /** It cannot tell, or not yet. */
  | { kind: 'unsure' }

/** A message handed over earlier. Some gateways need more than our reference to find it, and answer `unsure` without. */
export interface LookUpRequest {
  reference: string
  to: string
  /** When it was handed over first; a gateway that lists by time says `absent` only with it. */
  handedOverAt?: Date
}

/** How texts leave. One adapter a gateway; none of its functions throws for a single message. */
export interface SmsGateway {
  readonly name: string
  /** Nothing leaves the house: said on every screen that sends. */
  readonly simulated: boolean
  /** Messages a second its credential may send, over all workers; Infinity when there is no limit. */
  readonly perSecond: number
  readonly defaultSender: string
  /** Hands messages over; answers in their order. Takes 20 s at most. */
  send: (messages: readonly OutgoingSms[]) => Promise<HandOver[]>
  /** Asks for messages handed over earlier; answers in their order. */
  lookUp: (messages: readonly LookUpRequest[]) => Promise<LookUp[]>
}

/** What a gateway tells by itself. Kept in gateway_event until it is processed; `id` is the same for the same news told twice. */
export type GatewayEvent = { id: string; at: string } & (
  | { kind: 'receipt'; reference: string; gatewayRef: string | null; status: Receipt; reason: string | null }
  | { kind: 'reply'; from: string; to: string; text: string }
  /** An e-mail was called spam. */
  | { kind: 'complaint'; reference: string; reason: string | null }
)

/** One campaign e-mail to hand over. */
export interface OutgoingEmail {
  /** Ours, unique for ever; also the Message-ID. */
  reference: string
  to: string
  /** The pharmacy's name; the address is the installation's. */
  fromName: string
  replyTo: string | null
  subject: string
  text: string
  html: string
  /** The page on which a person unsubscribes. */
  unsubscribeUrl: string
  /** Where the person's mail program POSTs to unsubscribe at once (RFC 8058); a GET of it should lead to the page. */
  oneClickUrl: string
}

/** How campaign e-mail leaves; letters of the house itself go through email.ts. None of its functions throws for a single message. */
export interface EmailGateway {
  readonly name: string
  /** Nothing leaves the house: said on every screen that sends. */
  readonly simulated: boolean
  /** Messages a second over all workers; Infinity when there is no limit. */
  readonly perSecond: number
  /** Hands messages over; answers in their order. Takes 20 s at most. */
  send: (messages: readonly OutgoingEmail[]) => Promise<HandOver[]>
  /** Asks for messages handed over earlier; answers in their order. */
  lookUp: (messages: readonly LookUpRequest[]) => Promise<LookUp[]>
}
