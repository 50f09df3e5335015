import type { Logger } from 'pino'
import type { Env } from '../../env.ts'
import type { Metric } from './metric.ts'

/**
 * Sends traces and metrics to the collector of OTEL_EXPORTER_OTLP_ENDPOINT, if one is configured. Otherwise, nothing of OpenTelemetry's SDK
 * is loaded.
 * @param readMetrics reads what each push sends: the same as `/metrics`
 * @returns sends the rest, within a few seconds, and stops
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
