import type { AnswerOf, Call, Contract, Flag, InputOf } from '@pillar/contract'
import { Refusal } from '@pillar/contract'
import type { Country } from '@pillar/domain/locale'
import type { Logger } from 'pino'
import type { Pools, Tx } from '../db/database.ts'
import type { Scope } from '../db/scope.ts'
import type { Env } from '../env.ts'
import type { PasswordCost } from '../features/session/password.ts'
import type { Ai } from '../gateways/ai.ts'
import type { Breaches } from '../gateways/breaches.ts'
import type { EmailGateway } from '../gateways/bulk-email.ts'
import type { Captcha } from '../gateways/captcha.ts'
import type { Mailer } from '../gateways/email.ts'
import type { SmsGateway } from '../gateways/sms.ts'
import type { Queue } from './queue.ts'

/** Everything a handler or a job may need from outside, made once at start-up and replaced in tests. */
export interface Services {
  env: Env
  pools: Pools
  queue: Queue
  mail: Mailer
  /** How texts to patients leave. */
  sms: SmsGateway
  /** How campaign e-mails to patients leave. */
  bulkEmail: EmailGateway
  /** Tells people from programs on the public pages. */
  captcha: Captcha
  /** Tells whether a new password is on the lists of breaches. */
  breaches: Breaches
  /** Writes drafts of messages; null where none is set. */
  ai: Ai | null
  log: Logger
  /** The time. Tests move it; nothing else reads the clock for a rule. */
  now: () => Date
  /** Keys the hashes of link tokens. */
  secret: Buffer
  /** Cheaper password hashes for tests; never set by configuration. Default PASSWORD_COST. */
  passwordCost?: PasswordCost
  /** Where people reach this installation; links in mail are built from it, never from a request's Host. */
  publicUrl: () => string
}

/** Someone signed in. */
export interface Caller {
  loginId: number
  sessionId: string
  username: string
  /** Nothing but choosing a new password is open to them. */
  mustChangePassword: boolean
  flags: ReadonlySet<Flag>
  companyId: number
  companyUuid: string
  country: Country
  scope: Scope
}

/** A pharmacy that showed its key. */
export interface LocationCaller {
  locationId: number
  companyId: number
  timeZone: string
  scope: Scope
}

/** One file of a multipart upload, or one of its fields, in the order sent. */
export type Part =
  | { kind: 'field'; name: string; value: string }
  | { kind: 'file'; name: string; filename: string; stream: NodeJS.ReadableStream & AsyncIterable<Buffer> }

export interface Context {
  services: Services
  /** The network address of the caller, for throttling. */
  address: string
  requestId: string
  caller: Caller | null
  location: LocationCaller | null
  /** The secret of the session cookie, if the browser sent one. */
  cookieSecret: string | null
  setCookie: (secret: string) => void
  clearCookie: () => void
  /** The grant of a re-entered password, if the caller sent one. */
  grant: string | null
  parts: AsyncIterable<Part> | null
  /** The transaction of a call that needs a flag: in the caller's company, or in the one company a support call reaches. */
  tx: Tx | null
  /** The transaction of a support call over all companies. */
  staff: Tx | null
  /** Tells what there is so far of an answer that grows (contract: `grows`); null where nobody asked for that. */
  grow: ((part: unknown) => void) | null
  /** Aborted when whoever asked has gone away; for handlers that wait for the outside world. */
  gone: AbortSignal
}

export type Handler<C> = C extends Call ? (input: InputOf<C>, context: Context) => Promise<AnswerOf<C>> : never
export type HandlersOf<G> = { [Name in keyof G]: Handler<G[Name]> }
/** A handler for every call and no others: a missing or extra one does not compile. */
export type Handlers = { [Group in keyof Contract]: HandlersOf<Contract[Group]> }

/** The tenant transaction; a call that declares a flag always has one. */
export function tenantTx(context: Context): Tx {
  if (!context.tx) throw new Error('This call has no tenant transaction: declare a flag in its contract.')
  return context.tx
}

/** The transaction over all companies; a call that reaches the platform always has one. It sees no patient. */
export function staffTx(context: Context): Tx {
  if (!context.staff)
    throw new Error("This call has no platform transaction: declare reach 'platform' in its contract.")
  return context.staff
}

export function callerOf(context: Context): Caller {
  if (!context.caller) throw new Refusal('not_signed_in', 'Please sign in.')
  return context.caller
}
