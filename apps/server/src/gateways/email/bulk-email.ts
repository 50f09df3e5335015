import type { Pools } from '../../db/database.ts'
import type { Env } from '../../env.ts'
import type { HandOver, LookUp, LookUpRequest } from '../gateway.ts'
import { openEmailSimulator } from '../simulator.ts'
import { openSmtpEmail } from './bulk-email-smtp.ts'

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

/** The way of campaign e-mail in this installation: SMTP_URL, or the simulator without it. */
export function openBulkEmail(env: Env, pools: Pools): EmailGateway {
  if (env.SMTP_URL) return openSmtpEmail({ ...env, SMTP_URL: env.SMTP_URL })
  return openEmailSimulator(pools.system, env.EMAIL_PER_SECOND || Number.POSITIVE_INFINITY)
}
