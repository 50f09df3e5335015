import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openDesk } from '../../../test/campaign-desk.ts'
import { type Collector, type SeenSpan, startCollector } from '../../../test/outside/collector.ts'
import { asOwner } from '../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import { sendDue } from '../../features/messaging.jobs.ts'
import { signalDue } from '../../features/simulator/simulator.queries.ts'

let collector: Collector
beforeAll(async () => {
  collector = await startCollector()
})
afterAll(() => collector.close())
beforeEach(() => {
  collector.bodies.length = 0
})

const settings = () => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_BSP_SCHEDULE_DELAY: '50',
  OTEL_METRIC_EXPORT_INTERVAL: '200',
})

let close = async () => {}
afterEach(() => close())
async function uploadServer(env: Record<string, string> = settings()): Promise<UploadServer> {
  const server = await startUploadServer({ env })
  close = server.close
  return server
}

const CANARY = { first: 'Zuleika', last: 'Quorn-Brandt', mobile: '+61491570156', email: 'zuleika@canary.example' }
const FILES = {
  patients: `patient_id,first_name,last_name,sex,date_of_birth,mobile,email\n1,${CANARY.first},${CANARY.last},F,1950-02-03,${CANARY.mobile},${CANARY.email}\n`,
  drugs: 'drug_id,name,molecule,atc,pack_size\nA,Rosuvastatin 10 mg tablet,rosuvastatin,C10AA07,30\n',
  scripts:
    'script_id,dispensed_on,patient_id,drug_id,units,supply_number,patient_type,patient_price,government_amount,directions,days_supply\n' +
    's1,2026-09-01,1,A,30,1,Concession,7.70,10.94,Take ONE tablet daily,\n',
}

/** 'name < parent' for each span, once, in alphabetical order. */
function shapeOf(spans: readonly SeenSpan[]): string[] {
  const names = new Map(spans.map((span) => [span.spanId, span.name]))
  const lines = spans.map(({ name, parentId }) => (parentId === '' ? name : `${name} < ${names.get(parentId)}`))
  return [...new Set(lines)].sort()
}
const named = (name: string) => collector.spans().filter((span) => span.name === name)
/** Everything sent, as text: OTLP contains words unchanged. */
const everything = () => Buffer.concat(collector.bodies.map(({ body }) => body)).toString('latin1')
const traceOf = (span: SeenSpan | undefined) => collector.spans().filter(({ traceId }) => traceId === span?.traceId)

it('an upload is one trace, from its request to the figures that show it and what follows', async () => {
  const server = await uploadServer()
  const pharmacy = await server.pharmacy()
  expect(await pharmacy.load(FILES)).toMatchObject({ etl_state: 'COMPLETED' })
  await expect.poll(() => named('job after-upload').length).toBe(1)
  const spans = traceOf(named('load upload')[0])
  const steps = ['60-day sums', 'contacts', 'facts', 'touches', 'campaign results', 'sequences']
  const following = [...steps, 'message statistics', 'recommended campaigns']
  expect(shapeOf(spans)).toEqual(
    [
      ...following.flatMap((step) => [`${step} < job after-upload`, `transaction < ${step}`]),
      'call upload.send',
      'compute figures < load upload',
      'job after-upload < load upload',
      'job etl-load < call upload.send',
      'load upload < job etl-load',
      'merge < load upload',
      'read files < load upload',
      'transaction < call upload.send',
      'transaction < load upload',
    ].sort(),
  )
  const one = (name: string) => spans.find((span) => span.name === name)
  expect(one('call upload.send')?.attributes).toEqual({
    'pillar.call': 'upload.send',
    'pillar.company.id': pharmacy.companyId,
    'pillar.location.id': pharmacy.id,
    'http.response.status_code': 200,
  })
  expect(one('load upload')?.attributes).toMatchObject({ 'pillar.outcome': 'COMPLETED', 'pillar.rows': 3 })
  const sets = spans
    .filter(({ name }) => name === 'read files')
    .map(({ attributes }) => attributes['pillar.upload.set'])
  expect(sets).toEqual(['drugs', 'patients', 'scripts'])
})

it('an upload taken by another’s job belongs to the trace of its own request, linked with that job', async () => {
  const server = await startUploadServer({ env: settings(), work: false })
  close = server.close
  const pharmacy = await server.pharmacy()
  const first = await pharmacy.upload(FILES)
  const second = await pharmacy.upload({ ...FILES, scripts: FILES.scripts.replace('s1', 's2') })
  const { loadUpload } = await import('../../features/upload/upload.jobs.ts')
  await asOwner(server, `delete from pgboss.job where name = 'etl-load' and data->>'uuid' = $1`, [second.body.uuid])
  await server.services.queue.work([loadUpload], server.services)
  await pharmacy.settled(first.body.uuid)
  await pharmacy.settled(second.body.uuid)
  await expect.poll(() => named('job etl-load').length).toBe(1)
  const loads = named('load upload')
  const calls = named('call upload.send')
  expect(loads.map(({ traceId }) => traceId)).toEqual(calls.map(({ traceId }) => traceId))
  const [job] = named('job etl-load')
  expect([loads[0]?.links, loads[1]?.links]).toEqual([[], [`${job?.traceId} ${job?.spanId}`]])
  expect(loads[1]?.parentId).toBe(calls[1]?.spanId)
})

it('a campaign is one trace, from its activation to the receipts of its messages', async () => {
  const desk = await openDesk(undefined, settings())
  close = () => desk.server.close()
  const id = await desk.create()
  expect((await desk.write(id, 'activate', 'activate', { active: true })).status).toBe(200)
  await desk.prepared(id)
  desk.server.clock.offsetMs += 180_000
  const { services } = desk.server
  await sendDue(services)
  await signalDue(services.pools.system, new Date(Date.now() + 86_400_000), 5_000)
  await sendDue(services)
  await expect.poll(() => named('receipts').length).toBeGreaterThan(0)
  const spans = traceOf(named('call campaign.activate')[0])
  expect(shapeOf(spans)).toEqual([
    'call campaign.activate',
    'check consent < send batch',
    'claim messages < send batch',
    'gateway send < send batch',
    'job prepare-run < call campaign.activate',
    'receipts < call campaign.activate',
    'record answers < send batch',
    'send batch < call campaign.activate',
    'transaction < call campaign.activate',
    'transaction < check consent',
    'transaction < claim messages',
    'transaction < job prepare-run',
    'transaction < record answers',
  ])
  const sum = (name: string, mark: string) =>
    spans.filter((span) => span.name === name).reduce((all, { attributes }) => all + Number(attributes[mark]), 0)
  // The simulator defers some, which are handed over again.
  const handed = sum('gateway send', 'pillar.messages')
  const fates = ['accepted', 'rejected', 'later', 'unknown'].map((fate) =>
    sum('gateway send', `pillar.messages.${fate}`),
  )
  expect([handed >= 11, fates.reduce((all, one) => all + one, 0)]).toEqual([true, handed])
  expect(fates[0]).toBeGreaterThan(0)
  const told = everything()
  for (const word of ['+614', 'Alex', 'next repeat', 'Reply STOP', desk.world.company.name])
    expect(told, word).not.toContain(word)
  expect(sum('receipts', 'pillar.receipts.delivered')).toBeGreaterThan(0)
})

it('a job queued without a trace, by hand or by an older version, runs and starts its own', async () => {
  const server = await uploadServer()
  const pharmacy = await server.pharmacy()
  await asOwner(
    server,
    `insert into pgboss.job (name, data) values ('after-upload', jsonb_build_object('location_id', $1::int, 'company_id', $2::int))`,
    [pharmacy.id, pharmacy.companyId],
  )
  await expect.poll(() => named('job after-upload').length).toBe(1)
  expect(named('job after-upload')[0]).toMatchObject({ parentId: '', status: 0 })
})

it.each(['away', 'silent', 'in trouble'])('a collector that is %s costs no upload and no answer', async (how) => {
  const peer = await startCollector()
  peer.answer = (response) => void (how === 'in trouble' && response.writeHead(500).end())
  if (how === 'away') await peer.close()
  const server = await uploadServer({
    ...settings(),
    OTEL_EXPORTER_OTLP_ENDPOINT: peer.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '300',
  })
  const pharmacy = await server.pharmacy()
  expect(await pharmacy.load(FILES)).toMatchObject({ etl_state: 'COMPLETED' })
  const statuses = await Promise.all(Array.from({ length: 50 }, () => server.call('/api/portal-info')))
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]))
  if (how !== 'away') {
    await expect.poll(() => peer.bodies.length).toBeGreaterThan(0)
    await peer.close()
  }
})

it('no person’s data and no message text is in a span or a metric (T37)', async () => {
  const server = await uploadServer()
  const pharmacy = await server.pharmacy()
  await pharmacy.load(FILES)
  await pharmacy.load({ ...FILES, scripts: `${FILES.scripts}s2,${CANARY.first},1,A,x,1,y,z,1,${CANARY.last},\n` })
  await pharmacy.upload(FILES, { data_source: CANARY.first })
  const secret = `tok_${randomUUID()}`
  const headers = {
    authorization: `Bearer ${secret}`,
    'user-agent': CANARY.last,
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  }
  const people = { username: CANARY.email, password: secret }
  await server.call(`/api/enterprise-login?name=${CANARY.first}&token=${secret}`, people, headers)
  await server.call('/api/campaign/enterprise/list', { search: CANARY.first }, headers)
  await expect.poll(() => named('call campaign.list').length).toBe(1)
  await expect.poll(() => collector.metrics().get('pillar_uploads_failed')?.points[0]?.value).toBe(1)
  const told = everything()
  expect(told).toContain('campaign.list')
  const words = [...Object.values(CANARY), CANARY.mobile.slice(1), '0491570156', secret, pharmacy.key]
  for (const word of [...words, 'Testing Pharmacies', 'Take ONE', 'a'.repeat(32), 'Rosuvastatin'])
    expect(told.toLowerCase(), word).not.toContain(word.toLowerCase())
  expect(collector.spans().filter((span) => span.events > 0 || span.statusMessage !== '')).toEqual([])
  const { headers: sent } = collector.bodies[0]!
  expect(sent['content-type']).toBe('application/x-protobuf')
})
