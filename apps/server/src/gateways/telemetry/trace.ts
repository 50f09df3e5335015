import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Everything a span may tell, by name: numbers, and words of our own such as the name of a call. No text of a request, a file, a message
 * or an error ever becomes one; `marks.ts` looks at each value once more before it leaves.
 */
export interface Marks {
  call?: string
  status?: number
  job?: string
  /** Role of the pool a transaction runs in. */
  pool?: string
  /** How it ended, such as 'commit' or 'COMPLETED'. */
  outcome?: string
  /** A Refusal's code, a database's or Node's code, or the class of the error. */
  error?: string
  company?: number
  location?: number
  upload?: number
  run?: number
  set?: string
  channel?: string
  gateway?: string
  rows?: number
  messages?: number
  accepted?: number
  rejected?: number
  later?: number
  unknown?: number
  receipts?: number
  delivered?: number
  failed?: number
}

/** A stretch of work that is being timed. */
export interface Span {
  /** Its place in its trace, in the form of W3C Trace Context: what is kept beside work that goes on elsewhere. */
  readonly traceparent: string
  mark: (marks: Marks) => void
  /** With an error it ends as failed, unless that is a refusal. */
  end: (error?: unknown) => void
}

export interface SpanOptions {
  kind?: 'server' | 'client' | 'consumer'
  /** A kept traceparent to go on from; null begins a trace. Not given, the span that runs now. */
  parent?: string | null
  /** Another span it belongs to, without being part of it. */
  link?: string | null
  /** Milliseconds since 1970; now where not given. */
  startedAt?: number
}

/** Whoever takes spans; none while telemetry is off. */
export interface Tracing {
  begin: (name: string, marks: Marks, options: SpanOptions & { parent: string | null }) => Span
}

let tracing: Tracing | null = null
const running = new AsyncLocalStorage<Span>()

/** Switches tracing on, or off with null. Off, every function here does nothing but run the work it is given. */
export function useTracing(made: Tracing | null): void {
  tracing = made
}

/** Begins a span, to be ended by the caller; null while tracing is off. */
export function beginSpan(name: string, marks: Marks, options: SpanOptions = {}): Span | null {
  if (!tracing) return null
  const { parent = traceparent() } = options
  const taker = tracing
  const span = harmless(() => taker.begin(name, marks, { ...options, parent }))
  if (!span) return null
  return {
    traceparent: span.traceparent,
    mark: (more) => void harmless(() => span.mark(more)),
    end: (error) => void harmless(() => span.end(error)),
  }
}

/** Whoever takes spans may have a fault; the work that is timed must not get one by it: a message would be sent and not recorded. */
function harmless<T>(take: () => T): T | null {
  try {
    return take()
  } catch {
    return null
  }
}

/** Runs `work` in a span that ends with it; spans and jobs that `work` begins belong to it. */
export async function traced<T>(
  name: string,
  marks: Marks,
  work: (span: Span) => Promise<T>,
  options: SpanOptions = {},
): Promise<T> {
  const span = beginSpan(name, marks, options)
  if (!span) return work(NOBODY)
  try {
    const result = await running.run(span, () => work(span))
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** Runs `work` as a part of a span that was begun elsewhere. */
export function inSpan<T>(span: Span, work: () => T): T {
  return running.run(span, work)
}

/** Adds to the span that runs now. */
export function markSpan(marks: Marks): void {
  if (tracing) running.getStore()?.mark(marks)
}

/** Where the work that runs now is in its trace; null outside of one. To be kept with work that goes on later, or in another process. */
export function traceparent(): string | null {
  return tracing ? (running.getStore()?.traceparent ?? null) : null
}

/**
 * How work that was kept with `kept` goes on: under the span that runs now where that is of the same trace; else in the kept trace, linked
 * with what runs now.
 */
export function goingOnFrom(kept: string | null): Pick<SpanOptions, 'parent' | 'link'> {
  const now = traceparent()
  if (kept === null || now?.slice(0, TRACE_END) === kept.slice(0, TRACE_END)) return { parent: now }
  return { parent: kept, link: now }
}

/** '00-' and the 32 digits of the trace. */
const TRACE_END = 35

const NOBODY: Span = { traceparent: '', mark: () => {}, end: () => {} }
