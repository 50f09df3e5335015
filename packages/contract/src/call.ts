import type { Flag } from '@pillar/domain/permission'
import type { z } from 'zod'
import type { Reach, ReachFor } from './reach.ts'

export { FLAGS, type Flag } from '@pillar/domain/permission'

/**
 * Who may ask. There is no default: a call that does not say is a call that does not compile.
 * `session-cookie` is for the few calls a browser makes without a bearer; `location-key` is a pharmacy's own key. Several flags: any of them.
 */
export type Needs = 'public' | 'signed-in' | 'session-cookie' | 'location-key' | Flag | readonly Flag[]

export type StepUp = 'activate' | 'deactivate' | 'delete' | 'save'

/** A function of the input. Written as a method, so that calls of every input are calls. */
type From<T, R> = { of(input: T): R }['of']

/** How the answer travels: parsed JSON, or text a browser saves as a file. */
export type Answer = 'json' | 'csv'

interface Declared<N extends Needs, I extends z.ZodType, O extends z.ZodType> {
  /** As the specification spells it; `{id}` parts become input fields. */
  path: string
  /** As the specification has it; default POST. A DELETE has no body: its input is the parts of its path. */
  method?: 'POST' | 'DELETE'
  needs: N
  input: I
  output: O
  /** One sentence for the API documentation. */
  about: string
  /** An input for the API documentation. */
  example: NoInfer<z.input<I>>
  answer?: Answer
  /** Reads whose cached answers this write makes stale. */
  refreshes?: () => readonly Call[]
  /** The action a re-entered password must have granted for this write; a function where the input decides. */
  stepUp?: StepUp | From<z.output<I>, StepUp>
  /** What the call is about: what a grant is for and what the audit row names. Default: the first part of the path that is no secret. */
  subject?: From<z.output<I>, string | readonly string[] | null>
  /** Parts of the path that never reach a log or the audit. */
  secret?: readonly string[]
  /** The read builds working tables of its own, leaves an audit row or asks for a job, so its transaction is not marked read-only. */
  scratch?: true
  /**
   * The handler waits for the outside world, so it is called without a transaction: it opens short ones of its own, and records its
   * own audit row.
   */
  waits?: true
  /**
   * What is told of the answer while it grows. A client that asks with `Accept: text/event-stream` gets server-sent events: `text` with
   * all there is so far, as often as it grows, then one `done` with the whole answer, or one `refused`. Everybody else gets the answer.
   * What is refused before anything has grown is refused as ever.
   */
  grows?: z.ZodType
  /** Someone who must choose a new password first may make this call already; every other call that needs a sign-in is refused. */
  beforeNewPassword?: true
  /** `multipart` hands the handler a stream of parts beside the input. Default JSON. */
  body?: 'json' | 'multipart'
}

export interface Call<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> extends Declared<Needs, I, O> {
  kind: 'read' | 'write'
  /** Whose data a support call may touch. */
  reach?: Reach<z.output<I>>
}

/** A call that changes nothing: it may be repeated, cached and run on a replica. */
export function read<const N extends Needs, I extends z.ZodType, O extends z.ZodType>(
  call: Declared<N, I, O> & ReachFor<N, z.output<I>>,
): Call<I, O> {
  return { kind: 'read', ...call }
}

/** A write that wants the password again; its type says so, so that a screen cannot forget to ask. */
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
/** What a handler returns; undeclared fields are dropped on the way out. */
export type AnswerOf<C> = C extends Call<z.ZodType, infer O> ? z.input<O> : never
/** What a caller receives. */
export type ReplyOf<C> = C extends Call<z.ZodType, infer O> ? z.output<O> : never
