import type { HrTime } from '@opentelemetry/api'
import { ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics'
import type { Metric } from './metric.ts'

type Labels = Record<string, string | number>
type Value = Metric['values'][number] & { metricName?: string; labels: Labels }

/**
 * The metrics of `/metrics` in OTLP, under the same names: a collector that passes them to Prometheus produces what a scrape would have
 * found, so one dashboard serves both. Sums count from the start of the process.
 */
export async function metricsOf(read: () => Promise<Metric[]>, resource: Resource): Promise<CollectionResult> {
  const endTime = timeOf(Date.now())
  const metrics = (await read()).map((metric) => dataOf(metric, endTime))
  const scopeMetrics = [{ scope: { name: 'pillar' }, metrics }]
  return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
}

const timeOf = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]
const START = timeOf(performance.timeOrigin)

function dataOf(metric: Metric, endTime: HrTime): MetricData {
  const values = metric.values as Value[]
  const base = {
    descriptor: { name: metric.name, description: metric.help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const point = <T>(attributes: Labels, value: T): DataPoint<T> => ({
    startTime: START,
    endTime,
    attributes: { ...attributes },
    value,
  })
  // prom-client types a metric's type as an enum; as JSON it is the word.
  const type = String(metric.type)
  if (type === 'histogram') {
    const dataPoints = histogramsOf(metric.name, values).map(({ labels, histogram }) => point(labels, histogram))
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints }
  }
  const dataPoints = values.map(({ labels, value }) => point(labels, value))
  if (type === 'counter') return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
  return { ...base, dataPointType: DataPointType.GAUGE, dataPoints }
}

/** Prometheus counts each bucket together with all below it, as separate lines; OTLP counts each alone, in one point per label set. */
function histogramsOf(name: string, values: readonly Value[]): { labels: Labels; histogram: Histogram }[] {
  const groups = Map.groupBy(values, ({ labels: { le: _, ...own } }) => JSON.stringify(own))
  return [...groups.values()].map((lines) => {
    const { le: _, ...labels } = lines[0]!.labels
    const buckets = lines.filter((line) => line.metricName === `${name}_bucket`)
    const of = (part: string) => lines.find((line) => line.metricName === `${name}_${part}`)?.value ?? 0
    return {
      labels,
      histogram: {
        buckets: {
          boundaries: buckets.map((line) => Number(line.labels.le)).filter(Number.isFinite),
          counts: buckets.map((line, at) => line.value - (buckets[at - 1]?.value ?? 0)),
        },
        sum: of('sum'),
        count: of('count'),
      },
    }
  })
}
