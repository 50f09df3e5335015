import type { Logger } from 'pino'
import type { Env } from '../../env.ts'
import type { Metric } from './metric.ts'

/**
 * Sends traces and metrics to the collector of OTEL_EXPORTER_OTLP_ENDPOINT, if one is set. If not, nothing of OpenTelemetry's SDK is loaded.
 * @param readMetrics what is pushed, read at each push: the same as `/metrics` tells
 * @returns sends what is left, a few seconds at most, and stops
 */
export async function startTelemetry(
  env: Env,
  log: Logger,
  readMetrics: () => Promise<Metric[]>,
): Promise<() => Promise<void>> {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_SDK_DISABLED === 'true') return async () => {}
  const { openOtlp } = await import('./otlp.ts')
  return openOtlp(env, env.OTEL_EXPORTER_OTLP_ENDPOINT, log, readMetrics)
}
