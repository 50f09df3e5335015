import { randomUUID } from 'node:crypto'
import type { ReplyOf } from '@pillar/contract'
import type { campaign } from '@pillar/contract/campaign/campaign'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freshMobile, type MessagingWorld, makeMessagingWorld, setRules } from '../../../test/messaging.ts'
import { asOwner, fresh, makeLogin, type SignedIn, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import { inScope } from '../../db/scope.ts'
import { afterUpload } from '../upload/after-upload.jobs.ts'
import { recountRecommendations } from './patient-count.queries.ts'
import { countRecommendations } from './recommendation.jobs.ts'
import { ensureRecommendations } from './recommended.queries.ts'

type List = ReplyOf<typeof campaign.recommendations>
type Ledger = ReplyOf<typeof campaign.cohort>

let server: TestServer
let world: MessagingWorld
let rival: MessagingWorld
let me: SignedIn
let other: SignedIn
const now = () => server.services.now()

beforeAll(async () => {
  server = await startTestServer()
  await ensureRecommendations(server.services.pools.system, 'AU', now())
  ;[world, rival] = [await makeMessagingWorld(server, { locations: 3 }), await makeMessagingWorld(server)]
  await setRules(server, world.company.id, {})
  const ages = ['1936-02-29', '1950-05-05', '1961-11-21', '1999-01-01', null]
  const people = Array.from({ length: 90 }, (_, n) =>
    person({
      at: n % 3,
      born: ages[n % 5] ?? null,
      adherence_level: [1, 2, 3, 4, 5, null][n % 6] ?? null,
      loyalty_level: [1, 2, 3, null][n % 4] ?? null,
      molecules: n % 13,
      double_dispensing: n % 7 === 0,
      drug_types: n % 2 ? ['Unclassified'] : [],
      atc: [['C10AA05'], ['A10BA02', 'C10AA05'], []][n % 3] ?? [],
      // Selected all the same: only the filters count here, not who is held back.
      deceased: n % 11 === 0,
      sms_opt_out: n % 9 === 0,
      sms_to: freshMobile(),
    }),
  )
  await addPeople(server, world, people)
  await addPeople(server, rival, [person({ born: '1936-02-29' })])
  await asOwner(server, `update location set data_to = '2026-11-01'`)
  me = await signIn(server, await makeLogin(server, world.company.id, { flags: ['data_analytics'] }))
  other = await signIn(server, await makeLogin(server, rival.company.id, { flags: ['data_analytics'] }))
  await recommend('By type', { drug_type: ['Unclassified'], patient_sex: ['Female'] })
  await recommend('Two molecules', { molecules: ['A10BA02', 'R03AC02'], age: ['50-64', '65-74'] })
})
afterAll(() => server.close())

async function recommend(name: string, filters: object): Promise<string> {
  const uuid = randomUUID()
  await asOwner(
    server,
    `insert into campaign_recommendation (uuid, name, goal_type, measure_by, goal, filters) values ($1, $2, 'scripts', 'value', 5, $3)`,
    [uuid, name, JSON.stringify(filters)],
  )
  return uuid
}

const list = async (as = me) =>
  (await server.call<List>('/api/campaign-recommendation/company/list', { page: 1 }, as.bearer)).body
const countsOf = async (as = me) =>
  Object.fromEntries((await list(as)).campaigns.map((one) => [one.name, one.patients]))
const waiting = async () =>
  (
    await asOwner<{ n: number }>(
      server,
      `select count(*)::int as n from pgboss.job where name = 'count-recommendations' and state = 'created'`,
    )
  )[0]!.n
const countAt = (location: number, scope = world) => {
  const place = { id: location, country: 'AU' as const, timeZone: 'Australia/Melbourne' }
  const own = { companyId: scope.company.id, locationIds: [location] }
  return inScope(server.services.pools.app, own, (tx) => recountRecommendations(tx, place, now()))
}

describe('patients of recommended campaigns', () => {
  it('are counted by the job that viewing the list queues, once', async () => {
    expect(Object.values(await countsOf())).toEqual(Array(11).fill(null))
    await list()
    expect(await waiting()).toBe(1)
    await server.services.queue.work((await import('../index.ts')).jobs, server.services)
    await expect.poll(async () => Object.values(await countsOf()).includes(null), { timeout: 20_000 }).toBe(false)
    await expect.poll(waiting).toBe(0)
    await list()
    expect(await waiting()).toBe(0)
  })

  it('match the cohort of each campaign', async () => {
    const { campaigns } = await list()
    for (const { name, filters, patients } of campaigns) {
      const asked = { filters, pharmacies: world.locations.map(({ uuid }) => uuid), templates: [] }
      const ledger = (await server.call<Ledger>('/api/campaign/cohort/enterprise', asked, me.bearer)).body
      expect([name, patients]).toEqual([name, ledger.selected])
    }
    const some = campaigns.filter(({ patients }) => patients !== 0)
    expect(some.length).toBeGreaterThanOrEqual(6)
    // The key of metformin is more than its ATC code here.
    expect(some.map(({ name }) => name)).toContain('Two molecules')
  })

  it('are unknown, and not queued for counting, before any pharmacy has data', async () => {
    const empty = await makeMessagingWorld(server)
    const them = await signIn(server, await makeLogin(server, empty.company.id, { flags: ['data_analytics'] }))
    expect(Object.values(await countsOf(them))).toEqual(Array(11).fill(null))
    expect(await waiting()).toBe(0)
  })

  it('are the company’s own', async () => {
    await countAt(rival.locations[0]!.id, rival)
    const counts = await countsOf(other)
    expect([counts['Flu vaccine from 65'], counts['Statins: back on track']]).toEqual([1, 0])
  })

  it('skip pharmacies without data, and wait for those that have not counted', async () => {
    const last = world.locations[2]!.id
    const before = await countsOf()
    await asOwner(server, 'delete from recommendation_count where location_id = $1', [last])
    await asOwner(server, 'update location set data_to = null where id = $1', [last])
    const fewer = (await countsOf())['Flu vaccine from 65']!
    expect(fewer).toBeGreaterThan(0)
    expect(fewer).toBeLessThan(before['Flu vaccine from 65']!)
    await asOwner(server, `update location set data_to = '2026-11-01' where id = $1`, [last])
    expect((await countsOf())['Flu vaccine from 65']).toBeNull()
    await expect.poll(() => countsOf(), { timeout: 20_000 }).toEqual(before)
  })

  it('are recounted after an upload', async () => {
    const place = world.locations[0]!.id
    await asOwner(server, `update recommendation_count set patients = 4711 where location_id = $1`, [place])
    await afterUpload.run({ location_id: place, company_id: world.company.id }, server.services)
    const rows = await asOwner(
      server,
      'select patients from recommendation_count where location_id = $1 and patients > 90',
      [place],
    )
    expect(rows).toEqual([])
    expect(await asOwner(server, 'select 1 from recommendation_count where location_id = $1', [place])).toHaveLength(11)
  })

  it('are unknown after support changes the filters, until recounted', async () => {
    const name = fresh('Changed')
    const uuid = await recommend(name, { age: ['65+'] })
    await expect
      .poll(async () => (await countsOf())[name], { timeout: 20_000 })
      .toBe((await countsOf())['Flu vaccine from 65'])
    await asOwner(server, `update campaign_recommendation set filters = '{"patient_sex": ["Male"]}' where uuid = $1`, [
      uuid,
    ])
    await expect.poll(async () => (await countsOf())[name], { timeout: 20_000 }).toBe(0)
    await asOwner(server, `update campaign_recommendation set filters = '{"age": ["old"]}' where uuid = $1`, [uuid])
    const [broken] = await asOwner<{ id: number }>(server, 'select id from campaign_recommendation where uuid = $1', [
      uuid,
    ])
    for (const { id } of world.locations) await countAt(id)
    // It is recorded as not countable, and not retried every time.
    expect((await countsOf())[name]).toBeNull()
    expect((await countsOf())['Flu vaccine from 65']).toBeGreaterThan(0)
    await expect.poll(waiting).toBe(0)
    await list()
    expect(await waiting()).toBe(0)
    const noted = await asOwner(
      server,
      'select 1 from recommendation_count where campaign_recommendation_id = $1 and patients is null',
      [broken!.id],
    )
    expect(noted).toHaveLength(3)
    await asOwner(server, 'update campaign_recommendation set removed_at = now() where uuid = $1', [uuid])
  })
})

it('a pharmacy that cannot be counted keeps no other from being counted, and is named in the log', async () => {
  const place = await makeMessagingWorld(server, { locations: 2 })
  await addPeople(server, place, [person({ at: 0 }), person({ at: 1 })])
  await asOwner(server, `update location set data_to = '2026-11-01'`)
  const [first, second] = place.locations.map(({ id }) => id)
  await asOwner(
    server,
    `alter table recommendation_count add constraint broken check (location_id <> ${first}) not valid`,
  )
  const error = vi.fn()
  const services = { ...server.services, log: { ...server.services.log, error } as never }
  await expect(countRecommendations.run({ company_id: place.company.id }, services)).rejects.toThrow('broken')
  expect(error.mock.calls.map(([line]) => line)).toEqual([
    { location: first, reason: '23514 recommendation_count broken' },
  ])
  const counted = 'select distinct location_id::int as id from recommendation_count where location_id = any($1)'
  expect(await asOwner(server, counted, [[first, second]])).toEqual([{ id: second }])
  await asOwner(server, 'alter table recommendation_count drop constraint broken')
})
