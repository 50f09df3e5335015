import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { holidayDaysLeft } from '../../db/local-calendar.ts'
import type { Metric } from '../../gateways/telemetry/metric.ts'
import type { Services } from '../context.ts'
import { backlogMetrics } from './backlog.ts'
import { erasureGauge } from './erasure-gauge.ts'
import { replicaGauges } from './replica-gauges.ts'

/** What this process reports about itself and about waiting work: call names, states and counts, never people. */
export interface Figures {
  /** Makes the failures of a call count from 0: Prometheus sees no increase in a counter that starts at 1. */
  expect: (call: string) => void
  /** Counts an answer; `seconds` is the time since the request arrived. */
  answered: (call: string, status: number, seconds: number) => void
  /** All metrics, read now, in Prometheus' text format. */
  text: () => Promise<{ type: string; text: string }>
  /** The same metrics as objects. */
  read: () => Promise<Metric[]>
}

/** Counters start with the process; waiting work is read from the database each time. */
export function openFigures(services: Services): Figures {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'pillar_request_seconds',
    help: 'Time to answer, by call and status',
    labelNames: ['call', 'status'],
    buckets: [0.005, 0.01, 0.03, 0.06, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  // Distinguishes a serving process from a worker before anybody has called it.
  if (services.env.ROLE !== 'worker') {
    seconds.zero({ call: 'page', status: '200' })
    // These start at 0 too: an alert watches their increase.
    for (const status of ['503', '507']) seconds.zero({ call: 'upload.send', status })
  }
  const failed = new Counter({
    name: 'pillar_requests_failed_total',
    help: 'Answers with status 500, and with 507 except to uploads',
    labelNames: ['call'],
    registers: [registry],
  })
  // One counter for all gateways, so that it starts at 0 and the first refused call shows.
  const turnedAway = new Counter({
    name: 'pillar_webhooks_refused_total',
    help: 'Calls of gateways about receipts, replies and bounces that were not taken',
    registers: [registry],
  })
  new Gauge({
    name: 'pillar_field_values_altered',
    help: 'Sealed values that this process found not to open',
    labelNames: ['column'],
    registers: [registry],
    collect() {
      for (const { column, values } of services.keys.altered()) this.set({ column }, values)
    },
  })
  new Gauge({
    name: 'pillar_errors_reported',
    help: 'Uncaught errors since the start, of this process and of the screens that told it',
    labelNames: ['source'],
    registers: [registry],
    collect() {
      for (const [source, count] of Object.entries(services.errors.counts)) this.set({ source }, count)
    },
  })
  new Gauge({
    name: 'pillar_holidays_known_days',
    help: 'For how many more days public holidays of COUNTRY are on the list; below 0 once it has ended',
    registers: [registry],
    collect() {
      this.set(holidayDaysLeft(services.env.COUNTRY, services.now()))
    },
  })
  addClock(registry, services)
  addRoom(registry, services)
  replicaGauges(services, registry)
  erasureGauge(services, registry)
  return {
    expect: (call) => failed.inc({ call }, 0),
    answered(call, status, took) {
      seconds.observe({ call, status: String(status) }, took)
      if (call.startsWith('webhooks.') && status >= 300) turnedAway.inc()
      // A database elsewhere may be full, which no other figure shows. Refused uploads have a figure of their own.
      if (status === 500 || (status === 507 && call !== 'upload.send')) failed.inc({ call })
    },
    async text() {
      const backlog = await backlogMetrics(services)
      return { type: registry.contentType, text: `${await registry.metrics()}\n${await backlog.metrics()}` }
    },
    async read() {
      const backlog = await backlogMetrics(services)
      return [...(await registry.getMetricsAsJSON()), ...(await backlog.getMetricsAsJSON())]
    },
  }
}

/** How far this machine's clock is off, where known. */
function addClock(registry: Registry, services: Services): void {
  new Gauge({
    name: 'pillar_clock_skew_seconds',
    help: "By how much this machine's clock is ahead of the database's",
    registers: [registry],
    collect() {
      const skew = services.clockSkew?.()
      if (skew === undefined) this.remove()
      else this.set(skew / 1000)
    },
  })
}

/** How close this process is to its limits: pool connections and the disk of DATA_DIR. */
function addRoom(registry: Registry, services: Services): void {
  const { pools, env } = services
  new Gauge({
    name: 'pillar_pool_connections',
    help: 'Database connections of this process: in use, idle, and those waiting for one',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, states] of Object.entries(pools.use()))
        for (const [state, count] of Object.entries(states)) this.set({ pool, state }, count)
    },
  })
  new Gauge({
    name: 'pillar_pool_limit',
    help: 'Most connections that a pool of this process opens',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const [pool, most] of Object.entries(pools.limits)) this.set({ pool }, most)
    },
  })
  new Gauge({
    name: 'pillar_disk_free_bytes',
    help: 'Bytes this process may still write to the disk of DATA_DIR',
    registers: [registry],
    async collect() {
      const free = await services.disk.freeBytes(env.DATA_DIR).catch(() => null)
      // No figure is better than a stale one.
      if (free === null) this.remove()
      else this.set(free)
    },
  })
}
