import type { AnswerOf, Call, Contract, Flag, InputOf } from '@pillar/contract'
import { Refusal } from '@pillar/contract'
import type { LongFile } from '@pillar/contract/wire/long-file'
import type { Country } from '@pillar/domain/time/locale'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Pools, Tx } from '../db/database.ts'
import type { Keys } from '../db/field/key-ring.ts'
import type { Scope } from '../db/scope.ts'
import type { Env } from '../env.ts'

import type { Ai } from '../gateways/ai.ts'
import type { Breaches } from '../gateways/breaches.ts'
import type { Captcha } from '../gateways/captcha.ts'
import type { Disk } from '../gateways/disk.ts'
import type { Mailer } from '../gateways/email/email.ts'
import type { ErrorReporter } from '../gateways/errors.ts'
import type { FileStore } from '../gateways/file/file-store.ts'
import type { EmailGateway, SmsGateway } from '../gateways/gateway.ts'
import type { Places } from '../gateways/places.ts'
import type { Superset } from '../gateways/superset.ts'
import type { ReplicaReads } from './replica/reads.ts'

/** The fields a write changed in a record, before and after. */
export interface Change {
  object: string | null
  before: Readonly<Record<string, unknown>>
  after: Readonly<Record<string, unknown>>
}

/** Where a request came from, as coarsely as the audit keeps it. */
export interface Origin {
  /** An IPv4 /24 or an IPv6 /48. */
  network: string | null
  /** The family of the browser, such as 'Firefox on Windows'. */
  agent: string | null
}

/** Everything a handler or a job may need from outside, made once at start-up and replaced in tests. */
export interface Services {
  env: Env
  pools: Pools
  /** Answers reads of figures; absent if no replica is configured. */
  replica?: ReplicaReads | undefined
  queue: Queue
  mail: Mailer
  /** Sends texts to patients. */
  sms: SmsGateway
  /** Sends campaign emails to patients. */
  bulkEmail: EmailGateway
  /** Tells people from programs on public pages. */
  captcha: Captcha
  /** Tells whether a new password is on a list of breached ones. */
  breaches: Breaches
  /** Looks up addresses in an outside service; null if none is configured. */
  places: Places | null
  /** Issues tokens for dashboards of the analytics server; null if none is configured. */
  superset: Superset | null
  /** Tells how much disk space uploads have. */
  disk: Disk
  /** Where the files of received uploads stay until they are loaded. */
  files: FileStore
  /** The embedded database's current trouble, in a sentence; null while it runs normally. Absent with a database elsewhere. */
  databaseTrouble?: () => string | null
  /** Writes drafts of messages; null if not configured. */
  ai: Ai | null
  log: Logger
  /** Receives uncaught errors, without any personal data. */
  errors: ErrorReporter
  /** The current time. Tests move it; no rule reads another clock. A server follows the database's clock (db/clock.ts). */
  now: () => Date
  /** How far this machine's own clock is ahead of `now`, in milliseconds. Absent in tests. */
  clockSkew?: () => number
  /** Reads the database's clock at once, for work that must not rely on an old reading. Absent in tests. */
  readClock?: () => Promise<void>
  /** Milliseconds since the database's clock was last seen to jump ahead; Infinity if it never has. Absent in tests. */
  steadyFor?: () => number
  /** Keys the hashes of link tokens. */
  secret: Buffer
  /** The same for patients' links, of this database alone. */
  linkSecret: Buffer
  /** Seals single fields, and opens them. */
  keys: Keys
  /** Cheaper password hashes for tests; never set by configuration. Default PASSWORD_COST. */
  passwordCost?: PasswordCost
  /** The address at which people reach this installation. Links in mail are built from it, never from a request's Host. */
  publicUrl: () => string
  /** Aborts once this process is asked to stop: endless work then leaves the rest to other processes. */
  stopping?: AbortSignal
}

/** Someone signed in. */
export interface Caller {
  loginId: number
  sessionId: string
  username: string
  /** They may do nothing but choose a new password. */
  mustChangePassword: boolean
  /** Whether the login has a second factor, and whether this session has presented it. */
  factor: { has: boolean; shown: boolean }
  /** People of the demo network need no second factor unless the configuration requires one. */
  demo: boolean
  flags: ReadonlySet<Flag>
  companyId: number
  companyUuid: string
  country: Country
  scope: Scope
  from?: Origin
}

/** A pharmacy that presented its key. */
export interface LocationCaller {
  locationId: number
  /** Which of the pharmacy's keys it presented. */
  keyId: number
  companyId: number
  timeZone: string
  scope: Scope
}

/** A file or a field of a multipart upload, in the order sent. */
export type Part =
  | { kind: 'field'; name: string; value: string }
  | { kind: 'file'; name: string; filename: string; stream: NodeJS.ReadableStream & AsyncIterable<Buffer> }

export interface Context {
  services: Services
  /** The caller's network address, for throttling. */
  address: string
  /** Where the request came from, for the audit. */
  from: Origin
  /** Whether the request came straight from this machine, through no proxy. */
  local: boolean
  requestId: string
  caller: Caller | null
  location: LocationCaller | null
  /** The secret of the session cookie, if the browser sent one. */
  cookieSecret: string | null
  /** The secret of a remembered browser, if it sent one. */
  browserSecret: string | null
  setCookie: (secret: string) => void
  rememberBrowser: (secret: string) => void
  clearCookie: () => void
  /** The step-up token, if the caller sent one. */
  grant: string | null
  /** The Idempotency-Key, if the caller sent one. */
  requestKey: string | null
  parts: AsyncIterable<Part> | null
  /** The transaction of a call that needs a flag: in the caller's company, or in the one company a support call reaches. */
  tx: Tx | null
  /** The transaction of a support call over all companies. */
  staff: Tx | null
  /** Acts in one company after another; only a call with reach 'companies' has it. */
  enter: Enter | null
  /** What the call changed, for its audit row; `noteChange` adds to it. */
  changes: Change[]
  /** The name of the object the call concerns, for its audit row. */
  about: { name?: string | null }
  /** Counts of what a call touched or showed, for its audit row; `noteCounts` adds to it. */
  counts: Record<string, number>
  /** Sends the answer so far of a call that grows (contract: `grows`); null if the client did not ask for that. */
  grow: ((part: unknown) => void) | null
  /** Writes a long file to disk (contract: `long`) and sends it from there; see call/spool.ts. */
  spool: (parts: AsyncIterable<string>) => Promise<LongFile>
  /** Sets the answer to give should this call fail from here on: it has done something that no rollback undoes. */
  ifFails: (says: string) => void
  /** Aborts when the client has gone away; for handlers that wait for outside services. */
  gone: AbortSignal
}

/** Does work in one company, in its own transaction; the row in that company's log names the object. */
export type Enter = <T>(companyUuid: string, object: string, work: (inside: Context) => Promise<T>) => Promise<T>

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

/** Acts in one company after another; a call with reach 'companies' always has it. */
export function enterOf(context: Context): Enter {
  if (!context.enter) throw new Error("This call enters no company: declare reach 'companies' in its contract.")
  return context.enter
}

export function callerOf(context: Context): Caller {
  if (!context.caller) throw new Refusal('not_signed_in', 'Please sign in.')
  return context.caller
}

/** Refuses a caller whose session has ended. */
export const sessionExpired = () => new Refusal('session_expired', 'Your session has expired. Please sign in again.')

/** Refuses a caller whose key opens nothing. */
export const unknownKey = () =>
  new Refusal('not_signed_in', 'This location key is not known. Check the key of the pharmacy.')

/** A job: its name, payload and function. The function may call the outside world; a request's handler never does. */
export interface Job<P extends z.ZodType = z.ZodType> {
  name: string
  payload: P
  /** How many jobs of this name one worker process runs at once. */
  concurrency: (services: Services) => number
  retries: number
  /** The payload when it runs every night (`startNights`). */
  nightly?: z.input<P>
  /** At most one job per key waits; a second request is served by the first. Never use it for work on uncommitted data. */
  once?: true
  /**
   * Nobody else would ask for this work. Once its retries are used up, it is tried again after 15 minutes, after 30 minutes, then hourly
   * for a week.
   */
  again?: true
  run: (payload: z.output<P>, services: Services) => Promise<void>
}

export interface Queue {
  /**
   * Enqueues inside the caller's transaction: the job exists exactly if the write does. A `once` job is unique by `key`. One sent with
   * `behind` lets all other jobs of its name go first.
   */
  send: <P extends z.ZodType>(
    tx: Tx,
    which: Job<P>,
    payload: z.input<P>,
    key?: string,
    behind?: boolean,
  ) => Promise<void>
  /**
   * Enqueues a job at most once for each period, such as the night '2026-12-01', no matter how often and by how many processes it is
   * requested. Once the retries of a nightly one are used up, it is tried again like an `again` job, until the next night's takes over.
   */
  onceFor: <P extends z.ZodType>(period: string, which: Job<P>, payload: z.input<P>) => Promise<void>
  /** Makes this process's workers look for a job now rather than at their next round. Call it after the commit. */
  wake: (which: Pick<Job, 'name'>) => void
  /** Starts running jobs in this process. */
  work: (jobs: readonly Job[], services: Services) => Promise<void>
  /** Throws if the queue's own connection does not answer. */
  check: () => Promise<void>
  /** Stops taking jobs and waits for the running ones. */
  stop: () => Promise<void>
}

/** The cost of one hash: kibibytes of memory and passes over them. One thread. */
export interface PasswordCost {
  memoryCost: number
  timeCost: number
}
