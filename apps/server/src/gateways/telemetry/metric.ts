import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** A metric with its values, as Prometheus' library keeps them. */
export type Metric = MetricObjectWithValues<MetricValue<string>>
