import { ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { Refusal } from '@pillar/contract'
import { attributesOf, errorWord } from './marks.ts'
import type { Span, Tracing } from './trace.ts'

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER }

/** Spans of the SDK that carry only the listed marks: no events, no error messages. */
export function tracingWith(tracer: Tracer): Tracing {
  return {
    begin(name, marks, { kind, parent, link, startedAt }) {
      const above = readTraceparent(parent)
      const linked = readTraceparent(link ?? null)
      const span = tracer.startSpan(
        name,
        {
          kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
          attributes: attributesOf(marks),
          ...(linked ? { links: [{ context: linked }] } : {}),
          ...(startedAt === undefined ? {} : { startTime: startedAt }),
        },
        above ? trace.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT,
      )
      const { traceId, spanId, traceFlags } = span.spanContext()
      const made: Span = {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        mark: (more) => void span.setAttributes(attributesOf(more)),
        end(error) {
          if (error !== undefined) {
            span.setAttributes(attributesOf({ error: errorWord(error) }))
            if (!(error instanceof Refusal)) span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        },
      }
      return made
    },
  }
}

/** The span context in a stored traceparent; null if there is none or it is invalid. */
function readTraceparent(text: string | null): SpanContext | null {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text ?? '') ?? []
  if (!traceId || !spanId || !flags) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}
