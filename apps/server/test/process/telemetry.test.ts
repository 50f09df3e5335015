import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { openPools } from '../../src/db/database.ts'
import { createLocation, ensureCompany } from '../../src/features/location/location.queries.ts'
import { cloneDatabase, databaseUrl } from '../database.ts'
import { startCollector } from '../outside/collector.ts'
import { startPillar } from '../running-pillar.ts'
import { formOf, post } from '../upload.ts'

let folder: string
let database: Awaited<ReturnType<typeof cloneDatabase>>
let settings: Record<string, string>

/** Prints on stderr which module of OpenTelemetry's SDK is loaded. */
const HEAR = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({ load(url, context, next) {
    const sdk = /@opentelemetry.(?:sdk|exporter|otlp)[a-z-]*/.exec(url)
    if (sdk) process.stderr.write('loads ' + sdk[0] + String.fromCharCode(10))
    return next(url, context)
  } })`)}`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pillar-told-'))
  database = await cloneDatabase(inject('ownerUrl'))
  const DATABASE_URL = databaseUrl(inject('servingUrl'), new URL(database.url).pathname.slice(1))
  const urls = { DATABASE_URL, DATABASE_OWNER_URL: database.url }
  settings = { DATA_DIR: folder, SECRET: 's'.repeat(32), NODE_OPTIONS: `--import="${HEAR}"`, ...urls }
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const ask = (url: string) => fetch(`${url}/api/portal-info`, { method: 'POST', headers: { origin: url }, body: '{}' })

it('a process with an endpoint sends its last spans and figures before it ends, and a worker its own', async () => {
  const collector = await startCollector()
  try {
    // Nothing is sent by itself within the minute this may take.
    const patient = { OTEL_BSP_SCHEDULE_DELAY: '600000', OTEL_METRIC_EXPORT_INTERVAL: '600000' }
    const told = {
      ...settings,
      ...patient,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'pillar-web',
    }
    const web = await startPillar({ ...told, ROLE: 'web' })
    await ask(web.url)
    expect(collector.bodies).toEqual([])
    expect(await web.end('SIGTERM')).toBe(0)
    expect(web.output()).toContain('loads @opentelemetry/sdk-trace')
    expect(collector.spans().map(({ name }) => name)).toContain('call portal.info')
    expect(collector.metrics().get('pillar_database_up')?.points).toEqual([{ attributes: {}, value: 1 }])
    expect(collector.metrics().get('pillar_request_seconds')?.kind).toBe('histogram')
    expect(collector.spans()[0]?.service).toBe('pillar-web')
    collector.bodies.length = 0
    const worker = await startPillar({ ...told, ROLE: 'worker' })
    expect(await worker.end('SIGTERM')).toBe(0)
    expect(collector.metrics().get('pillar_pool_connections')?.points).toContainEqual({
      attributes: { pool: 'app', state: 'waiting' },
      value: 0,
    })
  } finally {
    await collector.close()
  }
})

it('an upload that one process receives and another loads is one trace', async () => {
  const collector = await startCollector()
  const pools = openPools(settings.DATABASE_URL!, () => {}, 1)
  try {
    const { id: companyId } = await ensureCompany(pools.system, { name: 'Apart', country: 'AU' })
    const place = { companyId, name: 'Apart', country: 'AU', time_zone: 'Australia/Sydney' } as const
    const { key } = await createLocation(pools.system, place)
    const told = { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRICS_EXPORTER: 'none' }
    const web = await startPillar({ ...told, ROLE: 'web', OTEL_SERVICE_NAME: 'web' })
    const worker = await startPillar({ ...told, ROLE: 'worker', OTEL_SERVICE_NAME: 'worker' })
    const files = { patients: 'patient_id,first_name,sex,date_of_birth\n1,Ann,F,1950-02-03\n' }
    const sent = await post(`${web.url}/api/etl/upload`, key, formOf(files, { data_source: 'canonical' }))
    expect(sent.status).toBe(200)
    await expect.poll(() => collector.spans().filter(({ name }) => name === 'load upload').length).toBe(1)
    await Promise.all([web.end('SIGTERM'), worker.end('SIGTERM')])
    const [load] = collector.spans().filter(({ name }) => name === 'load upload')
    const trace = collector.spans().filter(({ traceId }) => traceId === load?.traceId)
    const who = (name: string) => trace.find((span) => span.name === name)?.service
    expect([who('call upload.send'), who('job etl-load'), who('load upload')]).toEqual(['web', 'worker', 'worker'])
  } finally {
    await pools.close()
    await collector.close()
  }
})

it('a process without an endpoint loads nothing of the SDK', async () => {
  const pillar = await startPillar(settings)
  await ask(pillar.url)
  expect(await pillar.end('SIGTERM')).toBe(0)
  expect(pillar.output()).not.toContain('loads @opentelemetry')
})
