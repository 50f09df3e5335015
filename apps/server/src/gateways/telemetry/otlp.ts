import { randomUUID } from 'node:crypto'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Env } from '../../env.ts'
import { RELEASE } from '../fault.ts'
import { errorWord } from './marks.ts'
import type { Metric } from './metric.ts'
import { metricsOf } from './otlp-metrics.ts'
import { tracingWith } from './otlp-spans.ts'
import { rarely } from './rarely.ts'
import { samplerOf } from './sampler.ts'
import { useTracing } from './trace.ts'

const FLUSH_MS = 5_000

/**
 * The official SDK, assembled by hand: spans wait in a queue of OTEL_BSP_MAX_QUEUE_SIZE at most and are sent in batches; further ones are
 * dropped and logged. Metrics are sent every OTEL_METRIC_EXPORT_INTERVAL. Nothing waits for any of this.
 */
export function openOtlp(
  env: Env,
  endpoint: string,
  log: Logger,
  readMetrics: () => Promise<Metric[]>,
): () => Promise<void> {
  const resource = resourceOf()
  const warn = rarely((reason, times) => log.warn({ reason, times }, 'traces or metrics did not reach the collector'))
  // Of the SDK's messages only this one is new to us: its own words, with a number in them.
  diag.setLogger({ ...SILENT, warn: (text) => text.startsWith('Dropped') && warn(text) }, DiagLogLevel.WARN)
  const stops: (() => Promise<void>)[] = []
  if (env.OTEL_TRACES_EXPORTER === 'otlp') {
    const exporter = speaking(new OTLPTraceExporter(collectorOf(env, endpoint, 'traces')), warn)
    const provider = new TracerProvider({
      resource,
      sampler: samplerOf(env.OTEL_TRACES_SAMPLER, env.OTEL_TRACES_SAMPLER_ARG),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          maxQueueSize: env.OTEL_BSP_MAX_QUEUE_SIZE,
          maxExportBatchSize: env.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
          scheduledDelayMillis: env.OTEL_BSP_SCHEDULE_DELAY,
          exportTimeoutMillis: env.OTEL_BSP_EXPORT_TIMEOUT,
        }),
      ],
    })
    useTracing(tracingWith(provider.getTracer('pillar')))
    stops.push(() => provider.shutdown())
  }
  if (env.OTEL_METRICS_EXPORTER === 'otlp') {
    const read = () =>
      readMetrics().catch((error: unknown) => {
        warn(errorWord(error))
        return []
      })
    const reader = new PeriodicExportingMetricReader({
      exporter: speaking(new OTLPMetricExporter(collectorOf(env, endpoint, 'metrics')), warn),
      exportIntervalMillis: env.OTEL_METRIC_EXPORT_INTERVAL,
      exportTimeoutMillis: Math.min(env.OTEL_METRIC_EXPORT_TIMEOUT, env.OTEL_METRIC_EXPORT_INTERVAL),
      metricProducers: [{ collect: () => metricsOf(read, resource) }],
    })
    const provider = new MeterProvider({ resource, readers: [reader] })
    stops.push(() => provider.shutdown())
  }
  let stopping: Promise<void> | null = null
  return () => {
    stopping ??= flush(stops, log)
    return stopping
  }
}

/** Sends what is waiting. An unreachable collector does not delay the end of the process. */
async function flush(stops: readonly (() => Promise<void>)[], log: Logger): Promise<void> {
  useTracing(null)
  const late = new Promise<'late'>((done) => setTimeout(() => done('late'), FLUSH_MS).unref())
  const first = await Promise.race([Promise.allSettled(stops.map((stop) => stop())), late])
  if (first === 'late') log.warn('traces and metrics that still waited did not reach the collector')
  diag.disable()
}

/**
 * Describes the sender: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override our own values. Nothing about the machine or the command
 * line.
 */
function resourceOf(): Resource {
  const [name, version] = RELEASE.split('@') as [string, string]
  const own = { 'service.name': name, 'service.version': version, 'service.instance.id': randomUUID() }
  return resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] }))
}

/** Where one signal is sent. The exporter itself reads a separate address such as OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, and certificates. */
function collectorOf(env: Env, endpoint: string, signal: 'traces' | 'metrics') {
  const own = process.env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`]
  const headers = env.OTEL_EXPORTER_OTLP_HEADERS
  return {
    timeoutMillis: env.OTEL_EXPORTER_OTLP_TIMEOUT,
    ...(own ? {} : { url: `${endpoint.replace(/\/$/, '')}/v1/${signal}` }),
    ...(headers ? { headers: pairsOf(headers) } : {}),
  }
}

/** Parses 'name=value,name=value' with percent-encoded values, as the OTLP exporter specification defines it. */
const pairsOf = (text: string) =>
  Object.fromEntries(
    text.split(',').map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]
    }),
  )

/** Unchanged if it is not percent-encoded after all. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

interface Exporter {
  export: (batch: never, done: (result: { code: number; error?: Error }) => void) => void
}

/** The same exporter, logging what did not arrive, without quoting the collector's answer. */
function speaking<E extends Exporter>(exporter: E, warn: (reason: string) => void): E {
  const hand = exporter.export.bind(exporter)
  exporter.export = (batch, done) =>
    hand(batch, (result) => {
      if (result.code !== 0) {
        const { code, name } = (result.error ?? {}) as { code?: unknown; name?: string }
        warn(code === undefined ? (name ?? 'unknown') : `${typeof code === 'number' ? 'status ' : ''}${String(code)}`)
      }
      done(result)
    })
  return exporter
}

const nothing = () => {}
const SILENT = { error: nothing, warn: nothing, info: nothing, debug: nothing, verbose: nothing }
