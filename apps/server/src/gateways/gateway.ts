import type { Channel } from '@pillar/domain/consent/consent'
import type { Receipt } from '@pillar/domain/message/message-state'

/** This machine's clock, for gateways opened alone, as in tests; a server passes its own clock. */
export const systemTime = (): Date => new Date()

/** One text to hand over. `reference` is ours, unique for ever, and is sent along as the idempotency key. */
export interface OutgoingSms {
  reference: string
  /** E.164. */
  to: string
  /** Number or alphanumeric name; null for the gateway's own sender. */
  from: string | null
  text: string
}

/** The outcome of handing one message over. */
export type HandOver =
  | { kind: 'accepted'; gatewayRef: string }
  /**
   * Final: it will never be sent. The reason is in plain words. `gone`: there is no such number or address. `optedOut`: the person has
   * opted out at the gateway.
   */
  | { kind: 'rejected'; reason: string; gone?: boolean; optedOut?: boolean }
  /** Certainly not accepted: it may be handed over again after this many seconds. */
  | { kind: 'later'; seconds: number; reason: string }
  /** Unknown: it hung, or broke off after the message had been sent. The gateway must be asked before anything else is done. */
  | { kind: 'unknown'; reason: string }

/** A gateway's answer about one of our references. */
export type LookUp =
  | { kind: 'accepted'; gatewayRef: string; receipt: Receipt | null; reason: string | null; gone?: boolean }
  /** The gateway certainly never had it: the message may be handed over again. */
  | { kind: 'absent' }
  /** It cannot tell, or not yet. */
  | { kind: 'unsure' }

/** A message handed over earlier. Some gateways need more than our reference to find it, and otherwise answer `unsure`. */
export interface LookUpRequest {
  reference: string
  to: string
  /** When it was first handed over; a gateway that lists by time says `absent` only with it. */
  handedOverAt?: Date
}

/** Whether a message should no longer go, because the person has opted out meanwhile. */
export type IsWithdrawn = (message: { reference: string }) => boolean

/** How texts are sent. One adapter per gateway; none of its functions throws for a single message. */
export interface SmsGateway {
  readonly name: string
  /** No message leaves this server; every screen that sends says so. */
  readonly simulated: boolean
  /** Messages per second its credential may send, over all workers; Infinity if unlimited. */
  readonly perSecond: number
  readonly defaultSender: string
  /** Hands messages over, except those withdrawn meanwhile; returns outcomes in their order. Takes 20 s at most. */
  send: (messages: readonly OutgoingSms[], isWithdrawn?: IsWithdrawn) => Promise<HandOver[]>
  /** Looks up messages handed over earlier; returns answers in their order. */
  lookUp: (messages: readonly LookUpRequest[]) => Promise<LookUp[]>
}

/** An event reported by a gateway. Stored in gateway_event until it is processed; a repeated report has the same `id`. */
export type GatewayEvent = {
  id: string
  at: string
} & (
  | {
      kind: 'receipt'
      reference: string
      gatewayRef: string | null
      status: Receipt
      reason: string | null
      /** It failed because there is no such number or address. */
      gone?: boolean
    }
  /**
   * `mayRepeat`: the gateway named neither an id nor a time, so this may be a reply that it has reported before. `optedOut`: the gateway
   * itself took it for an opt-out, by a word of its own.
   */
  | { kind: 'reply'; from: string; to: string; text: string; mayRepeat?: boolean; optedOut?: boolean }
  /** An email was marked as spam; or, on the channel `sms`, the person opted out at the gateway, which sends them nothing. */
  | { kind: 'complaint'; reference: string; reason: string | null; channel?: Channel }
)

/** The event by which a person opted out at a gateway, which refused the text with this reference. */
export const optOutEvent = (reference: string, now: Date): GatewayEvent => ({
  ...{ id: `opt-out-${reference}`, at: now.toISOString(), kind: 'complaint', channel: 'sms' },
  ...{ reference, reason: null },
})

/** One campaign email to hand over. */
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
  /** The page for unsubscribing. */
  unsubscribeUrl: string
  /** Where the mail program POSTs to unsubscribe at once (RFC 8058); a GET of it should lead to the page. */
  oneClickUrl: string
}

/** How campaign email is sent; Pillar's own emails go through email.ts. None of its functions throws for a single message. */
export interface EmailGateway {
  readonly name: string
  /** No message leaves this server; every screen that sends says so. */
  readonly simulated: boolean
  /** Messages per second over all workers; Infinity if unlimited. */
  readonly perSecond: number
  /** Hands messages over, except those withdrawn meanwhile; returns outcomes in their order. Takes 20 s at most. */
  send: (messages: readonly OutgoingEmail[], isWithdrawn?: IsWithdrawn) => Promise<HandOver[]>
  /** Looks up messages handed over earlier; returns answers in their order. */
  lookUp: (messages: readonly LookUpRequest[]) => Promise<LookUp[]>
}
