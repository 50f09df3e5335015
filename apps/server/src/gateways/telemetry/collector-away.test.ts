import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { type Collector, startCollector } from '../../../test/outside/collector.ts'
import { readEnv } from '../../env.ts'
import { startTelemetry } from './telemetry.ts'
import { beginSpan, traced, traceparent, useTracing } from './trace.ts'

let stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops) await stop()
  stops = []
})

async function collector(): Promise<Collector> {
  const made = await startCollector()
  stops.push(made.close)
  return made
}

/** Starts only telemetry; returns it with its log. */
async function telemetry(endpoint: string, settings: Record<string, string> = {}) {
  const lines: string[] = []
  const log = pino({}, { write: (line) => void lines.push(line) })
  const env = readEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '20', ...settings })
  const stop = await startTelemetry(env, log, async () => [])
  stops.unshift(stop)
  return { stop, lines }
}

const some = async (count: number) => {
  for (let at = 0; at < count; at++) await traced('call test.away', { call: 'test.away' }, async () => {})
}

describe('a collector that does not take spans', () => {
  const nobody = 'http://127.0.0.1:9'
  it('that is unavailable fails nothing and is logged once, without addresses', async () => {
    const { lines, stop } = await telemetry(nobody, { OTEL_EXPORTER_OTLP_TIMEOUT: '300' })
    await some(50)
    await pause(500)
    await some(50)
    await stop()
    expect(lines.length).toBe(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, msg: 'traces or metrics did not reach the collector' })
    expect(lines[0]).not.toContain('127.0.0.1')
  })

  it('that answers 500 is sent later spans, but not those it refused', async () => {
    const peer = await collector()
    peer.answer = (response) => void response.writeHead(500).end('an inside of a collector')
    const { lines } = await telemetry(peer.url)
    await some(3)
    await expect.poll(() => lines.length).toBe(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({ reason: 'status 500' })
    expect(lines[0]).not.toContain('inside')
    peer.bodies.length = 0
    peer.answer = (response) => void response.writeHead(200).end()
    await some(2)
    await expect.poll(() => peer.spans().length).toBe(2)
  })

  it('that is silent delays nobody, and only the queue is kept for it', async () => {
    const peer = await collector()
    peer.answer = () => {}
    const settings = { OTEL_BSP_MAX_QUEUE_SIZE: '1000', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '100' }
    const { stop, lines } = await telemetry(peer.url, settings)
    await some(200)
    await expect.poll(() => peer.bodies.length).toBe(1)
    const began = performance.now()
    await some(20_000)
    expect((performance.now() - began) / 20_000).toBeLessThan(1)
    expect(peer.bodies.length).toBe(1)
    peer.answer = (response) => void response.writeHead(200).end()
    await stop()
    // The batch being sent, and the queue.
    expect(peer.spans().length).toBe(100 + 1000)
    expect(lines.length).toBeLessThanOrEqual(1)
  })

  it('that is silent delays the end of the process by five seconds at most', async () => {
    const peer = await collector()
    peer.answer = () => {}
    const { stop, lines } = await telemetry(peer.url, { OTEL_BSP_SCHEDULE_DELAY: '60000' })
    await some(10)
    const began = performance.now()
    await stop()
    expect(performance.now() - began).toBeLessThan(6_000)
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, msg: expect.stringContaining('still waited') })
  })
})

describe('the end of the process', () => {
  it('sends what waits, and nothing afterwards', async () => {
    const peer = await collector()
    const { stop } = await telemetry(peer.url, { OTEL_BSP_SCHEDULE_DELAY: '60000' })
    await some(7)
    expect(peer.spans().length).toBe(0)
    await stop()
    expect(peer.spans().length).toBe(7)
    await some(1)
    expect([peer.spans().length, traceparent(), beginSpan('late', {})]).toEqual([7, null, null])
  })
})

describe('the standard settings', () => {
  it('name the service, show headers to the collector, and choose what is kept', async () => {
    const peer = await collector()
    const { stop } = await telemetry(`${peer.url}/otlp/`, {
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=se%20cret,x-tenant=100%,x-more=a=b',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
      OTEL_METRICS_EXPORTER: 'none',
    })
    await traced('call test.away', {}, async () => {
      // Decided at the start of the trace, for all of it.
      expect(traceparent()).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
      await some(1)
    })
    await traced('job test', {}, async () => {}, { parent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` })
    await stop()
    expect(peer.bodies.map(({ path }) => path)).toEqual(['/otlp/v1/traces'])
    expect(peer.bodies[0]?.headers).toMatchObject({ 'x-key': 'se cret', 'x-tenant': '100%', 'x-more': 'a=b' })
    expect(peer.bodies[0]?.body.toString('latin1')).toMatch(/service\.name.*pillar/s)
  })

  it('with OTEL_SDK_DISABLED nothing is sent', async () => {
    const peer = await collector()
    const { stop } = await telemetry(peer.url, { OTEL_SDK_DISABLED: 'true' })
    await some(2)
    await stop()
    expect(peer.bodies).toEqual([])
  })

  it('that are impossible are refused in words', () => {
    expect(() => readEnv({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow('It may be http/protobuf.')
    expect(() => readEnv({ OTEL_TRACES_SAMPLER: 'xray' })).toThrow('parentbased_traceidratio')
    expect(() => readEnv({ OTEL_EXPORTER_OTLP_HEADERS: 'token' })).toThrow('"name=value"')
  })
})

it('a fault in recording spans does not become a fault of the work', async () => {
  const fault = () => {
    throw new Error('a fault of the SDK')
  }
  stops.push(async () => useTracing(null))
  useTracing({ begin: fault })
  expect(await traced('job test', {}, async () => 'done')).toBe('done')
  useTracing({ begin: () => ({ traceparent: '', mark: fault, end: fault }) })
  const marking = traced('job test', {}, async (span) => {
    span.mark({ messages: 1 })
    return 'done'
  })
  expect(await marking).toBe('done')
})

it('figures that cannot be read are logged, and spans are still sent', async () => {
  const peer = await collector()
  const lines: string[] = []
  const log = pino({}, { write: (line) => void lines.push(line) })
  const env = readEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: peer.url, OTEL_METRIC_EXPORT_INTERVAL: '50' })
  const stop = await startTelemetry(env, log, () => Promise.reject(Object.assign(new Error('Ines'), { code: '57014' })))
  stops.unshift(stop)
  await some(1)
  await expect.poll(() => lines.length).toBe(1)
  await stop()
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, reason: '57014' })
  expect(peer.spans().length).toBe(1)
})

it('a mark that is not one of our words, or not a number, is not sent', async () => {
  const peer = await collector()
  const { stop } = await telemetry(peer.url)
  const wrong = { call: 'Ines Moran', gateway: '0491570156', company: Number.NaN, name: 'Ines', job: 'mail' }
  await traced('job mail', wrong, async (span) => span.mark({ location: '+61491570156' } as never))
  const failing = traced('job mail', {}, async () => {
    throw Object.assign(new Error('duplicate key (Ines Moran)'), { code: '23505' })
  })
  await expect(failing).rejects.toThrow('duplicate key')
  await stop()
  expect(peer.spans().map(({ attributes, status }) => [attributes, status])).toEqual([
    [{ 'pillar.job': 'mail' }, 0],
    [{ 'error.type': '23505' }, 2],
  ])
})
