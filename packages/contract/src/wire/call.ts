import { FLAGS, type Flag } from '@pillar/domain/access/permission'
import type { z } from 'zod'
import type { Reach, ReachFor } from './reach.ts'

export { FLAGS, type Flag } from '@pillar/domain/access/permission'

/**
 * Who may make the call. There is no default: a call without one does not compile.
 * `session-cookie` is for the few calls a browser makes without a bearer; `location-key` is a pharmacy's own key. Any one of several
 * flags is enough.
 */
export type Needs = 'public' | 'signed-in' | 'session-cookie' | 'location-key' | Flag | readonly Flag[]

export type StepUp = 'activate' | 'deactivate' | 'delete' | 'save'

/** A function of the input. Written as a method so that calls with different inputs share one type. */
type From<T, R> = { of(input: T): R }['of']

/**
 * How the answer travels: as parsed JSON, or as a file a browser saves. A file is text, a PDF that the output holds in base64, or a spreadsheet
 * written while it is sent (wire/sheet.ts).
 */
export type Answer = 'json' | 'csv' | 'pdf' | 'xlsx'

interface Declared<N extends Needs, I extends z.ZodType, O extends z.ZodType> {
  /** As the specification spells it; `{id}` parts become input fields. */
  path: string
  /** As in the specification; default POST. A DELETE has no body: its input is the parts of its path. */
  method?: 'POST' | 'DELETE'
  needs: N
  input: I
  output: O
  /** One sentence for the API documentation. */
  about: string
  /** A sample input for the API documentation. */
  example: NoInfer<z.input<I>>
  answer?: Answer
  /** Reads whose cached answers this write makes stale. */
  refreshes?: () => readonly Call[]
  /** The step-up action this write needs; a function where the input decides. */
  stepUp?: StepUp | From<z.output<I>, StepUp>
  /** The subject of the call, for step-up and the audit row. Default: the first path part that is not secret. */
  subject?: From<z.output<I>, string | readonly string[] | null>
  /** The answer contains a secret or a patient's words, so it is not stored for repeats of the request under the same key. */
  tellsOnce?: true
  /**
   * Doing it twice has no further effect, or shows the same again, and a later repeat is deliberate, so the call ignores an Idempotency-Key. A
   * function where the input decides.
   */
  again?: true | From<z.output<I>, boolean>
  /** Path parts that never reach a log or the audit. */
  secret?: readonly string[]
  /** The read creates temporary tables, writes an audit row or queues a job, so its transaction is not read-only. */
  scratch?: true
  /** The handler waits for an outside service. It therefore runs without a transaction, opens short ones itself and writes its own audit row. */
  waits?: true
  /**
   * The part of the answer to stream. A client that sends `Accept: text/event-stream` gets server-sent events: `text` with
   * the full text so far each time it grows, then one `done` with the whole answer, or one `refused`. Other clients get the answer.
   * A refusal before the first event is an ordinary error response.
   */
  grows?: z.ZodType
  /** The read shows stored figures and does nothing else, so a streaming replica may answer it (decision 062). Never combine with `scratch`. */
  replica?: true
  /** The read is heavy on the database, so only a few run at a time per company; others wait briefly or get a 429. */
  heavy?: true
  /**
   * The file may take minutes to make, so the usual time limit does not apply. The handler spools it (wire/long-file.ts), and the server sends it
   * from disk once it is complete.
   */
  long?: true
  /** The write may change hundreds of thousands of rows, or hundreds of campaigns one by one, so the usual time limit does not apply. */
  slow?: true
  /** Allowed for someone who must choose a new password first; every other signed-in call is refused. */
  beforeNewPassword?: true
  /**
   * Allowed before the second factor: `setup` while somebody who must have one has none, `check` also before it is shown. Every other signed-in
   * call is refused.
   */
  beforeSecondFactor?: 'setup' | 'check'
  /** Refused until the person accepts the current version of the End User License Agreement. */
  afterAgreement?: true
  /** The largest body, for a call that takes a file; other calls use the common limit. */
  mostBytes?: number
  /** `multipart` also gives the handler a stream of parts. Default JSON. */
  body?: 'json' | 'multipart'
}

export interface Call<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> extends Declared<Needs, I, O> {
  kind: 'read' | 'write'
  /** Whose data a support call may touch. */
  reach?: Reach<z.output<I>>
}

/**
 * Whether a call takes an Idempotency-Key: a request repeated under its key gets the first answer, and nothing is done again. This applies to
 * writes that need a flag and run in one transaction.
 */
export function takesKey({
  kind,
  needs,
  waits,
  again,
  body,
}: Pick<Call, 'kind' | 'needs' | 'waits' | 'again' | 'body'>): boolean {
  const flagged = [needs].flat().some((need) => (FLAGS as readonly string[]).includes(need))
  return kind === 'write' && flagged && !waits && again !== true && body !== 'multipart'
}

/** A call that changes nothing: it can be repeated and cached. */
export function read<const N extends Needs, I extends z.ZodType, O extends z.ZodType>(
  call: Declared<N, I, O> & ReachFor<N, z.output<I>>,
): Call<I, O> {
  return { kind: 'read', ...call }
}

/** A write that needs step-up. Its type requires the password so that no screen can forget it. */
export interface GuardedCall<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> extends Call<I, O> {
  stepUp: StepUp | From<z.output<I>, StepUp>
}

/** A call that changes something: it runs in one transaction and is audited. */
export function write<const N extends Needs, I extends z.ZodType, O extends z.ZodType>(
  call: Declared<N, I, O> & ReachFor<N, z.output<I>> & Pick<GuardedCall<I, O>, 'stepUp'>,
): GuardedCall<I, O>
export function write<const N extends Needs, I extends z.ZodType, O extends z.ZodType>(
  call: Declared<N, I, O> & ReachFor<N, z.output<I>>,
): Call<I, O>
export function write<const N extends Needs, I extends z.ZodType, O extends z.ZodType>(
  call: Declared<N, I, O> & ReachFor<N, z.output<I>>,
): Call<I, O> {
  return { kind: 'write', ...call }
}

export type InputOf<C> = C extends Call<infer I, z.ZodType> ? z.output<I> : never
/** What a caller sends: fields with a default may be left out. */
export type AskOf<C> = C extends Call<infer I, z.ZodType> ? z.input<I> : never
/** What a handler returns; undeclared fields are dropped from the response. */
export type AnswerOf<C> = C extends Call<z.ZodType, infer O> ? z.input<O> : never
/** What a caller receives. */
export type ReplyOf<C> = C extends Call<z.ZodType, infer O> ? z.output<O> : never
