import { globSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { everyCall } from '@pillar/contract/every-call'
import { parser } from '@prometheus-io/lezer-promql'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { type Collector, startCollector } from '../../../test/outside/collector.ts'
import { asOwner, makeCompany, makeLocation } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { formOf, post } from '../../../test/upload.ts'
import { jobs } from '../../features/index.ts'
import type { Services } from '../context.ts'
import { replicaGauges } from './replica-gauges.ts'

interface Alert {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: Record<string, string>
}
interface Board {
  uid: string
  title: string
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[]
}

const [group] = (parse(readFileSync('deploy/observe/alerts.yaml', 'utf8')) as { groups: { rules: Alert[] }[] }).groups
const alerts = group!.rules
const boards = globSync('deploy/observe/dashboard/*.json').map((file) => ({
  file: basename(file),
  board: JSON.parse(readFileSync(file, 'utf8')) as Board,
}))
const questions = [
  ...alerts.map(({ alert, expr }) => ({ of: alert, expr, legend: '' })),
  ...boards.flatMap(({ file, board }) =>
    board.panels.flatMap(({ title, targets }) =>
      targets.map(({ expr, legendFormat }) => ({ of: `${file}: ${title}`, expr, legend: legendFormat })),
    ),
  ),
]
const manual = readFileSync('docs/alerts.md', 'utf8')

/** The series a PromQL expression selects, by Prometheus' own grammar. @throws Error if the expression is invalid */
function readQuestion(expr: string) {
  const found = { metrics: [] as string[], labels: [] as string[], equals: [] as [string, string][] }
  parser.parse(expr).iterate({
    enter(node) {
      const text = expr.slice(node.from, node.to)
      if (node.type.isError) throw new Error(`not PromQL at ${node.from}: ${expr}`)
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector') found.metrics.push(text)
      if (node.name === 'LabelName') found.labels.push(text)
      const [, label, value] = /^(\w+)="(.*)"$/.exec(text) ?? []
      if (/LabelMatcher$/.test(node.name) && label !== undefined && value !== undefined)
        found.equals.push([label, value])
    },
  })
  return found
}

/** Labels that Prometheus gives every series. */
const ADDED = ['instance', 'le']

let server: TestServer
let collector: Collector
/** Every line of /metrics that holds a value: its name and its labels. */
let series: Series[]
/** The same, plus the series of an installation with a replica. */
let all: Series[]
beforeAll(async () => {
  collector = await startCollector()
  server = await startTestServer({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRIC_EXPORT_INTERVAL: '200' },
  })
  server.services.clockSkew = () => 250
  const world = await makeMessagingWorld(server)
  await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 1) })
  await asOwner(server, `insert into gateway_pace values ('http', now())`)
  await server.call('/api/portal-info')
  const { now } = server.services
  server.services.now = () => {
    throw new Error('no clock')
  }
  const failed = await server.call('/api/campaign/enterprise/list', {}, { authorization: 'Bearer x' })
  expect(failed.status).toBe(500)
  server.services.now = now
  series = seriesOf(await scrape())
  all = [...series, ...seriesOf(await ofReplica())]
})
afterAll(async () => {
  await server.close()
  await collector.close()
})

/** The current response of /metrics. */
async function scrape(): Promise<string> {
  const { body } = await server.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  return body
}

interface Series {
  name: string
  labels: Record<string, string>
}

function seriesOf(text: string): Series[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = ''] = /^([a-z]\w*)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value])
    return name ? [{ name, labels: Object.fromEntries(pairs) }] : []
  })
}

/** The additional series of an installation with a replica. */
function ofReplica(): Promise<string> {
  const registry = new Registry()
  const replica = { used: true, lag: { seconds: 1, bytes: 2 }, counts: { replica: 3 } }
  replicaGauges({ replica } as unknown as Services, registry)
  return registry.metrics()
}

describe('alerts and dashboards', () => {
  it('use existing metrics, labels and values in PromQL', () => {
    expect(questions.length).toBeGreaterThan(50)
    const calls = everyCall.map(({ name }) => name)
    for (const { of, expr, legend } of questions) {
      const { metrics, labels, equals } = readQuestion(expr)
      expect(metrics, of).not.toEqual([])
      for (const metric of metrics)
        expect(
          all.map(({ name }) => name),
          of,
        ).toContain(metric)
      const theirs = all.filter(({ name }) => metrics.includes(name))
      const known = [...ADDED, ...theirs.flatMap((one) => Object.keys(one.labels))]
      for (const label of [...labels, ...[...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)])
        expect(known, of).toContain(label)
      for (const [label, value] of equals) {
        const values = label === 'call' ? calls : theirs.map((one) => one.labels[label])
        expect(values, of).toContain(value)
      }
    }
  })

  it('report a mistake in a query (the check itself)', () => {
    expect(() => readQuestion('sum(rate(pillar_x[5m])')).toThrow('not PromQL')
    expect(readQuestion('max by (a) (pillar_x{b="c"}) > 1')).toEqual({
      metrics: ['pillar_x'],
      labels: ['a', 'b'],
      equals: [['b', 'c']],
    })
  })

  it('have no label with a name that Prometheus reserves', () => {
    for (const { name, labels } of series) expect(Object.keys(labels), name).not.toContain('job')
  })
})

describe('every alert', () => {
  it('says what happened and what to do, and has its section in docs/alerts.md', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(['critical', 'warning'], alert).toContain(labels.severity)
      expect(annotations.summary, alert).toBeTruthy()
      expect(annotations.description, alert).toMatch(/\.$/)
      expect(annotations.runbook_url).toBe(`docs/alerts.md#${alert.toLowerCase()}`)
      const [, section = ''] = manual.split(`\n## ${alert}\n`)
      const [text = ''] = section.split(/\n#+ /)
      expect(text.trim().length, alert).toBeGreaterThan(80)
    }
    const sections = [...manual.matchAll(/^## (Pillar\w+)$/gm)].map(([, name]) => name)
    expect(sections).toEqual(alerts.map(({ alert }) => alert))
  })
})

describe('PillarJobsGivenUp', () => {
  it('says of every queue what was not done', () => {
    const [, section = ''] = manual.split('\n## PillarJobsGivenUp\n')
    const [text = ''] = section.split(/\n#+ /)
    expect(jobs.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })
})

describe('PillarNightMissed', () => {
  it('is about every nightly job, and says what each does', () => {
    const nightly = jobs.filter((job) => job.nightly !== undefined).map(({ name }) => name)
    const [, names = ''] = /queue=~"(.*?)"/.exec(alerts.find(({ alert }) => alert === 'PillarNightMissed')!.expr) ?? []
    expect(names.split('|').sort()).toEqual(nightly.sort())
    const [, section = ''] = manual.split('\n## PillarNightMissed\n')
    const [text = ''] = section.split(/\n#+ /)
    expect(nightly.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })
})

describe('PillarRequestsFail', () => {
  it('sees the first failure of each call, because every count starts at 0', async () => {
    const counted = /^pillar_requests_failed_total\{call="(.*?)"\} (\d+)$/gm
    const counts = new Map([...(await scrape()).matchAll(counted)].map(([, call, count]) => [call, Number(count)]))
    const names = [...everyCall.map(({ name }) => name), 'page', 'consent.one-click']
    expect(names.filter((name) => !counts.has(name))).toEqual([])
    expect([...counts].filter(([, count]) => count > 0)).toEqual([['campaign.list', 1]])
  })
})

describe('PillarGatewayRefused', () => {
  it('sees the first call of a gateway that is refused, and none that is taken', async () => {
    const refused = async () => Number(/^pillar_webhooks_refused_total (\d+)$/m.exec(await scrape())?.[1])
    expect(await refused()).toBe(0)
    const url = '/webhooks/sms/twilio/reply'
    const forged = { method: 'POST', url, payload: 'Body=STOP' } as const
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await server.app.inject({ ...forged, headers })).statusCode).toBe(403)
    expect(await refused()).toBe(1)
    const host = 'a-name-that-a-proxy-gave.example'
    expect((await server.app.inject({ ...forged, headers: { ...headers, host } })).statusCode).toBe(421)
    expect(await refused()).toBe(2)
    // Not the portal's page: with 200 the gateway would count the reply as delivered.
    const urls = [
      '/webhooks/sms/http/replies',
      '//webhooks/sms/http/reply',
      '/Webhooks/sms/http/reply',
      '/webhook/reply',
    ]
    for (const path of urls) {
      const mistyped = { method: 'GET', url: `${path}?text=STOP` } as const
      expect([path, (await server.app.inject(mistyped)).statusCode]).toEqual([path, 404])
    }
    expect(await refused()).toBe(2 + urls.length)
  })
})

describe('PillarUploadsRefused', () => {
  it('matches the count when the disk refuses an upload', async () => {
    const { expr } = alerts.find(({ alert }) => alert === 'PillarUploadsRefused')!
    const [, name, call, status] = /(pillar_\w+)\{call="(.*?)",status=~"(.*?)"\}/.exec(expr) ?? []
    const those = new RegExp(`^${name}\\{call="${call}",status="(?:${status})"\\} (\\d+)$`, 'gm')
    const told = async () => [...(await scrape()).matchAll(those)].map(([, value]) => Number(value)).sort()
    // Starts at 0: Prometheus sees no increase in a counter that starts at 1.
    expect(await told()).toEqual([0, 0])
    await rm(join(server.services.env.DATA_DIR, 'uploads'), { recursive: true })
    const { key } = await makeLocation(server, (await makeCompany(server)).id)
    const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
    const form = formOf({ drugs: 'drug_id,name\nA,Rosuvastatin\n' }, { data_source: 'canonical' })
    expect((await post(`${url}/api/etl/upload`, key, form)).status).toBe(503)
    expect(await told()).toEqual([0, 1])
  })
})

describe('metrics over OTLP', () => {
  it('have the names and labels of /metrics, so that one dashboard serves both', async () => {
    const plain = (name: string) => name.replace(/_(bucket|sum|count)$/, '')
    // Repeated until the last push is as new as the scrape: a series may appear between the two.
    await vi.waitFor(async () => {
      const fresh = seriesOf(await scrape())
      const pushed = collector.metrics()
      const scraped = new Set(fresh.map(({ name }) => (pushed.has(name) ? name : plain(name))))
      const told = [...pushed.keys()].filter((name) => pushed.get(name)!.points.length > 0)
      expect(told.sort()).toEqual([...scraped].sort())
      for (const [name, { points }] of pushed) {
        const theirs = fresh.filter((one) => one.name === name || plain(one.name) === name)
        const labels = new Set(theirs.flatMap((one) => Object.keys(one.labels)).filter((label) => label !== 'le'))
        expect([...new Set(points.flatMap((point) => Object.keys(point.attributes)))].sort(), name).toEqual(
          [...labels].sort(),
        )
      }
      expect(pushed.get('pillar_requests_failed_total')!.points.filter(({ value }) => value > 0)).toHaveLength(1)
    }, 10_000)
  })
})
