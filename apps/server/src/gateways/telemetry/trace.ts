import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Everything a span may contain, by name: numbers, and our own words such as the name of a call. It never contains text of a request, a
 * file, a message or an error; `marks.ts` checks each value once more before it is sent.
 */
export interface Marks {
  call?: string
  status?: number
  job?: string
  /** Role of the pool a transaction runs in. */
  pool?: string
  /** The outcome, such as 'commit' or 'COMPLETED'. */
  outcome?: string
  /** A Refusal's code, a database's or Node's code, or the error's class. */
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

/** A timed piece of work. */
export interface Span {
  /** Its place in its trace, in W3C Trace Context form: stored with work that continues elsewhere. */
  readonly traceparent: string
  mark: (marks: Marks) => void
  /** With an error it ends as failed, unless the error is a refusal. */
  end: (error?: unknown) => void
}

export interface SpanOptions {
  kind?: 'server' | 'client' | 'consumer'
  /** A stored traceparent to continue; null starts a trace. Defaults to the current span. */
  parent?: string | null
  /** A related span of which it is not a part. */
  link?: string | null
  /** Milliseconds since 1970; defaults to now. */
  startedAt?: number
}

/** Receives spans; none while telemetry is off. */
export interface Tracing {
  begin: (name: string, marks: Marks, options: SpanOptions & { parent: string | null }) => Span
}

let tracing: Tracing | null = null
const running = new AsyncLocalStorage<Span>()

/** Switches tracing on, or off with null. When off, every function here only runs the work it is given. */
export function useTracing(made: Tracing | null): void {
  tracing = made
}

/** Starts a span that the caller ends; null while tracing is off. */
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

/** A fault in tracing must not break the timed work: a message would be sent and not recorded. */
function harmless<T>(take: () => T): T | null {
  try {
    return take()
  } catch {
    return null
  }
}

/** Runs `work` in a span that ends with it; spans and jobs that `work` starts belong to it. */
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

/** Runs `work` as part of a span started elsewhere. */
export function inSpan<T>(span: Span, work: () => T): T {
  return running.run(span, work)
}

/** Adds to the current span. */
export function markSpan(marks: Marks): void {
  if (tracing) running.getStore()?.mark(marks)
}

/** The current work's place in its trace; null outside a trace. Stored with work that continues later, or in another process. */
export function traceparent(): string | null {
  return tracing ? (running.getStore()?.traceparent ?? null) : null
}

/**
 * How work stored with `kept` continues: under the current span if that is of the same trace; otherwise in the stored trace, linked to the
 * current span.
 */
export function goingOnFrom(kept: string | null): Pick<SpanOptions, 'parent' | 'link'> {
  const now = traceparent()
  if (kept === null || now?.slice(0, TRACE_END) === kept.slice(0, TRACE_END)) return { parent: now }
  return { parent: kept, link: now }
}

/** '00-' and the 32 digits of the trace. */
const TRACE_END = 35

const NOBODY: Span = { traceparent: '', mark: () => {}, end: () => {} }
