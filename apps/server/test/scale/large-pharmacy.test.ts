import { contract } from '@pillar/contract'
import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Tx } from '../../src/db/database.ts'
import { readLong } from '../../src/db/list.ts'
import { bindScope, inScope } from '../../src/db/scope.ts'
import { queueStatRecount, recountStats } from '../../src/features/attribution/message-stat.queries.ts'
import { readBoardLines } from '../../src/features/board/board-fact.queries.ts'
import { recentContacts } from '../../src/features/company/import/move.queries.ts'
import { recountShared } from '../../src/features/person/counted-once.queries.ts'
import { historyLots } from '../../src/features/report/report.queries.ts'
import { sixtyDayRows } from '../../src/features/report/sixty-day.queries.ts'
import { eraseMessageTexts } from '../../src/features/retention/forget-texts.queries.ts'
import { queueRecount } from '../../src/features/run/recount-queue.queries.ts'
import { messagesOfRun } from '../../src/features/run/run.queries.ts'
import { recountQueued, recountQueuedStats } from '../../src/features/sending/recount.ts'
import { postponeQueued, skipQueued } from '../../src/features/sending/rule/replan.queries.ts'
import { tickSequences } from '../../src/features/sequence/sequence.jobs.ts'
import { replanSequence } from '../../src/features/sequence/sequence-state.queries.ts'
import { NO_SIXTY_DAY } from '../../src/features/sixty-day/list.queries.ts'
import { followUp } from '../../src/features/upload/after-upload.jobs.ts'
import { makeCampaign, makeTemplate } from '../messaging.ts'
import { asOwner } from '../people.ts'
import { forecastOf, writeCampaign } from '../sending.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { makeSupport } from '../support.ts'
import { untilWaiting } from '../waiting.ts'
import { type LargeWorld, MANY, makeLargePharmacy, SIXTY_DAY_ITEM, ZONE } from './pharmacy.ts'
import { type Watched, watchVisits } from './visits.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: TestServer
let world: LargeWorld
let watched: Watched

beforeAll(async () => {
  server = await startTestServer()
  world = await makeLargePharmacy(server)
  watched = await watchVisits(server)
})
afterAll(() => server.close())

const inside = <T>(work: (tx: Tx) => Promise<T>) =>
  inScope(server.services.pools.app, { companyId: world.company.id, locationIds: [world.large] }, work)

/** Steps of the statements during `work` that read more rows than any has reason to. */
async function quadratic(work: () => Promise<unknown>) {
  const [from, begun] = [watched.visits.length, watched.statements.length]
  await work()
  expect(watched.statements.length).toBeGreaterThan(begun)
  return watched.visits.slice(from).filter(({ rows }) => rows > MANY)
}

it('an upload’s follow-up', async () => {
  expect(await quadratic(() => followUp(server.services, world.company.id, world.large))).toEqual([])
})

it('follow-ups of a sequence that are due for everybody', async () => {
  expect(await quadratic(async () => expect(await tickSequences(server.services)).toBeGreaterThan(0))).toEqual([])
})

it('a sequence with changed days, and its results', async () => {
  const [sequence] = await asOwner<{ id: number; uuid: string }>(
    server,
    'select id, uuid from sequence where location_id = $1',
    [world.large],
  )
  const place = { id: world.large, time_zone: ZONE }
  expect(await quadratic(() => inside((tx) => replanSequence(tx, place, sequence!.id, '2026-01-01')))).toEqual([])
  const support = await makeSupport(server)
  const input = { id: sequence!.uuid, location_id: world.locations[0]!.uuid }
  const asked = async () =>
    expect(await support.ask(contract.sequenceAdmin.stats, input)).toMatchObject({ status: 200 })
  expect(await quadratic(asked)).toEqual([])
})

it('statistics of messages and results of campaigns, some hundred people at a time', async () => {
  await inside((tx) => queueStatRecount(tx, world.large))
  await asOwner(server, `update stat_recount_queue set since = now() - interval '1 minute'`)
  await asOwner(server, 'delete from campaign_result')
  const from = watched.statements.length
  expect(await quadratic(() => recountQueuedStats(server.services))).toEqual([])
  const asked = watched.statements.slice(from)
  expect(asked.filter((statement) => statement.startsWith('insert into c_standing')).length).toBeGreaterThan(1)
})

it('a campaign while another one waits to be sent, is put off, skipped and listed', async () => {
  await followUp(server.services, world.company.id, world.large)
  const text = await makeTemplate(server, world.company.id)
  const of = { locationIds: [world.large], templateIds: [text.id] }
  const own = { ...world, scope: { ...world.scope, locationIds: [world.large] } }
  const waiting = await writeCampaign(server, server.services, own, await makeCampaign(server, world.company.id, of))
  const campaign = await makeCampaign(server, world.company.id, of)
  expect(await quadratic(() => forecastOf(server.services, own, campaign))).toEqual([])
  expect(await quadratic(() => writeCampaign(server, server.services, own, campaign))).toEqual([])
  const [batch] = await asOwner<{ id: number }>(server, 'select id from message_batch where run_id = $1', [waiting.id])
  const lease = {
    id: batch!.id,
    locationId: world.large,
    companyId: world.company.id,
    runId: waiting.id,
    channel: 'sms',
    trace: null,
  } as const
  const soon = new Date(Date.now() + 3_600_000)
  expect(await quadratic(() => inside((tx) => postponeQueued(tx, lease, soon, soon)))).toEqual([])
  const skipped = async (tx: Tx) => expect(await skipQueued(tx, lease, 'quiet_hours', soon)).toBeGreaterThan(0)
  expect(await quadratic(() => inside(skipped))).toEqual([])
  const rows = async (tx: Tx) => {
    await readLong(tx)
    const lots = messagesOfRun(tx, { id: waiting.id, state: 'holding' }, { locationId: world.large, timeZone: ZONE })
    expect(await Array.fromAsync(lots)).not.toEqual([])
  }
  expect(await quadratic(() => inside(rows))).toEqual([])
})

it('lines for boards, the 60 day report and the message history', async () => {
  const today = formatDay(dayOf(new Date().toISOString().slice(0, 10)))
  const [from, to] = [dayOf(today) - 365, dayOf(today)]
  expect(await quadratic(() => inside((tx) => readBoardLines(tx, world.large, from, to)))).toEqual([])
  const codes = { items: [SIXTY_DAY_ITEM], atcs: [], sixty: [] }
  const ask = { locationId: world.large, to: today, codes, thirtyDayMost: 30 }
  expect(await quadratic(() => inside((tx) => sixtyDayRows(tx, ask)))).toEqual([])
  const days = { locationId: world.large, timeZone: ZONE, from: formatDay(from), to: today }
  const history = async (tx: Tx) => expect((await Array.fromAsync(historyLots(tx, days))).length).toBeGreaterThan(0)
  expect(await quadratic(() => inside(history))).toEqual([])
})

it('people of two pharmacies', async () => {
  await asOwner(
    server,
    `insert into person_link (location_id, patient_id, person)
     select location_id, id, 'person ' || row_number() over (partition by location_id order by id) from patient where location_id = any($1::bigint[])`,
    [world.scope.locationIds],
  )
  expect(await quadratic(() => world.inside((tx) => recountShared(tx, world.large, null, [])))).toEqual([])
})

it('patients texted by a pharmacy that moves to another company', async () => {
  await asOwner(server, `update message set sent_at = now() where location_id = $1 and state = 'delivered'`, [
    world.large,
  ])
  const texted = async (tx: Tx) =>
    expect((await recentContacts(tx, world.large, new Date())).length).toBeGreaterThan(MANY ** 0.5)
  expect(await quadratic(() => inside(texted))).toEqual([])
})

it('texts that are deleted', async () => {
  const forget = async (tx: Tx) =>
    expect(await eraseMessageTexts(tx, world.large, server.services.now(), 5_000)).toBeGreaterThan(MANY ** 0.5)
  expect(await quadratic(() => inside(forget))).toEqual([])
})

it('work that no request waits for has the time that a large pharmacy takes', async () => {
  const ask = { locationId: world.large, to: '2026-11-26', codes: NO_SIXTY_DAY, thirtyDayMost: 30 }
  for (const work of [
    (tx: Tx) => readBoardLines(tx, world.large, 0, 1),
    (tx: Tx) => sixtyDayRows(tx, ask),
    (tx: Tx) => recountStats(tx, world.large),
  ]) {
    const given = await inside(async (tx) => {
      await work(tx)
      return sql<{ statement_timeout: string }>`show statement_timeout`.execute(tx)
    })
    expect(given.rows).toEqual([{ statement_timeout: '2min' }])
  }
})

it('a send is stopped while the statistics of its pharmacy are being counted', async () => {
  const statistics = await server.services.pools.app.startTransaction().execute()
  await bindScope(statistics, { companyId: world.company.id, locationIds: [world.large] })
  await inside((tx) => queueStatRecount(tx, world.large))
  await sql`delete from stat_recount_queue where location_id = ${world.large}`.execute(statistics)
  await inside((tx) => queueRecount(tx, [world.large]))
  const counting = recountQueued(server.services)
  try {
    await untilWaiting(server, 1, '%stat_recount_queue%')
    const batches = `select id from message_batch where location_id = ${world.large} for update nowait`
    await expect(asOwner(server, batches)).resolves.not.toEqual([])
  } finally {
    await statistics.rollback().execute()
  }
  expect(await counting).toBeGreaterThan(0)
})
