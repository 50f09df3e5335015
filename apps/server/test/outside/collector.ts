import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesIn, type Fields, hexIn, messagesIn, readFields, textIn } from './protobuf.ts'

export interface SeenSpan {
  traceId: string
  spanId: string
  /** '' at the head of a trace. */
  parentId: string
  name: string
  /** The sender's service.name. */
  service: string
  attributes: Record<string, string | number | boolean>
  /** Spans it is linked with, as 'trace span'. */
  links: string[]
  events: number
  /** 2 is an error (opentelemetry.proto, Status). */
  status: number
  statusMessage: string
  /** Milliseconds since 1970. */
  startedAt: number
  /** Milliseconds. */
  took: number
}

export interface SeenMetric {
  kind: 'gauge' | 'sum' | 'histogram'
  points: { attributes: Record<string, string | number | boolean>; value: number }[]
}

export interface Collector {
  url: string
  /** The body of every call, unchanged. */
  bodies: { path: string; body: Buffer; headers: Record<string, unknown> }[]
  spans: () => SeenSpan[]
  /** The latest values, by name. */
  metrics: () => Map<string, SeenMetric>
  /** How the next calls are answered; 200 by default. */
  answer: (response: ServerResponse) => void
  close: () => Promise<void>
}

/** A collector of OTLP over HTTP on this machine that reads the actual wire format. */
export async function startCollector(port = 0): Promise<Collector> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    collector.bodies.push({ path: request.url ?? '', body: Buffer.concat(chunks), headers: request.headers })
    collector.answer(response)
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const under = (path: string) =>
    collector.bodies.filter((one) => one.path === path).flatMap(({ body }) => messagesIn(readFields(body), 1))
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies: [],
    spans: () =>
      under('/v1/traces').flatMap((resource) => inScopes(resource).map((span) => spanOf(span, serviceOf(resource)))),
    metrics: () =>
      new Map(
        under('/v1/metrics').flatMap((resource) => inScopes(resource).map((one) => [textIn(one, 1), metricOf(one)])),
      ),
    answer: (response) => void response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
  return collector
}

const inScopes = (resource: Fields) => messagesIn(resource, 2).flatMap((scope) => messagesIn(scope, 2))

const serviceOf = (resource: Fields) => String(attributesIn(messagesIn(resource, 1)[0]!, 1)['service.name'])

function spanOf(span: Fields, service: string): SeenSpan {
  const [status] = messagesIn(span, 15)
  return {
    traceId: hexIn(span, 1),
    spanId: hexIn(span, 2),
    parentId: hexIn(span, 4),
    name: textIn(span, 5),
    service,
    attributes: attributesIn(span, 9),
    links: messagesIn(span, 13).map((link) => `${hexIn(link, 1)} ${hexIn(link, 2)}`),
    events: messagesIn(span, 11).length,
    status: Number(status?.get(3)?.[0] ?? 0),
    statusMessage: status ? textIn(status, 2) : '',
    startedAt: Number(bytesIn(span, 7).readBigUInt64LE()) / 1e6,
    took: Number(bytesIn(span, 8).readBigUInt64LE() - bytesIn(span, 7).readBigUInt64LE()) / 1e6,
  }
}

function metricOf(metric: Fields): SeenMetric {
  const kind = metric.has(5) ? 'gauge' : metric.has(7) ? 'sum' : 'histogram'
  const [data] = messagesIn(metric, { gauge: 5, sum: 7, histogram: 9 }[kind])
  const points = messagesIn(data!, 1).map((point) =>
    kind === 'histogram'
      ? { attributes: attributesIn(point, 9), value: Number(bytesIn(point, 4).readBigUInt64LE()) }
      : { attributes: attributesIn(point, 7), value: numberIn(point) },
  )
  return { kind, points }
}

const numberIn = (point: Fields) =>
  point.has(4) ? bytesIn(point, 4).readDoubleLE() : Number(bytesIn(point, 6).readBigInt64LE())

const attributesIn = (fields: Fields, number: number) =>
  Object.fromEntries(messagesIn(fields, number).map((pair) => [textIn(pair, 1), anyValue(messagesIn(pair, 2)[0]!)]))

function anyValue(value: Fields): string | number | boolean {
  if (value.has(1)) return textIn(value, 1)
  if (value.has(2)) return value.get(2)![0] === 1n
  return value.has(3) ? Number(value.get(3)![0]) : bytesIn(value, 4).readDoubleLE()
}
