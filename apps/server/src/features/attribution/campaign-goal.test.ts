import type { contract } from '@pillar/contract'
import type { ReplyOf } from '@pillar/contract/wire/call'
import { differenceOfMeans, meanOf, momentsOf } from '@pillar/domain/campaign/campaign-result'
import { toTheCent } from '@pillar/domain/figure/money'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCampaign } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import {
  fillsBetween,
  GROUPS,
  type GroupsWorld,
  makeGroupsWorld,
  STEADY,
} from '../../../test/world/attribution-groups.ts'
import { DATA_TO } from '../../../test/world/attribution-world.ts'
import { recountStats } from './message-stat.queries.ts'

let server: UploadServer
let world: GroupsWorld
let sent: GroupsWorld['sent']
let ask: GroupsWorld['ask']

beforeAll(async () => {
  server = await startUploadServer({ work: true })
  world = await makeGroupsWorld(server)
  ;({ sent, ask } = world)
}, 120_000)
afterAll(() => server.close())

describe('goals and changes', () => {
  it('compare adherence now with the day before the start, in points', async () => {
    const id = await sent([...STEADY, 'g2'], {}, { goal_type: 'adherence', measure_by: 'percentage', goal: 3 })
    const { body } = await ask(id)
    const points = ((346 - 348) / 365) * 100
    expect(body).toMatchObject({
      // Eleven people: enough to count the goal, but a result needs a hundred.
      ...{ total_adherence_kpi: null, total_loyalty_kpi: null, total_made_goal: 0 },
      total_current_goal_value: expect.closeTo(points, 9),
    })
    const { rows } = await sql<{ share: number }>`
      select sum(covered_days)::float8 / sum(observed_days) as share from patient_measure where patient_id = any(${[...STEADY, 'g2'].map((one) => world.patients.get(one))}::bigint[])`.execute(
      server.owner,
    )
    await asOwner(server, `update campaign set measure_by = 'target', goal = 90 where uuid = $1`, [id])
    const target = await ask(id)
    expect(target.body.total_current_goal_value).toBeCloseTo(rows[0]!.share * 100, 9)
    expect(target.body.total_current_goal_value).toBeCloseTo((346 / 365) * 100, 9)
    expect(target.body.total_made_goal).toBe(1)
  })

  it('show no adherence of fewer than ten pairs, and no loyalty of fewer than ten slots', async () => {
    const id = await sent([...STEADY.slice(1), 'g2'], {}, { goal_type: 'adherence', measure_by: 'target', goal: 1 })
    const none = { total_current_goal_value: null, total_made_goal: 0 }
    expect((await ask(id)).body).toMatchObject(none)
    const few = await sent(['g2'], {}, { goal_type: 'loyalty', measure_by: 'target', goal: 1 })
    expect((await ask(few)).body).toMatchObject(none)
    const enough = await sent(STEADY.slice(1), {}, { goal_type: 'loyalty', measure_by: 'target', goal: 1 })
    expect((await ask(enough)).body).toMatchObject({ total_current_goal_value: 100, total_made_goal: 1 })
  })

  it('include refunds in revenue, but in neither scripts nor visits', async () => {
    const goal = async (goal_type: string, measure_by: string) =>
      (await ask(await sent(['back'], {}, { goal_type, measure_by, goal: 1 }))).body.total_current_goal_value
    // 50.00 and 20.00 in the 53 days from 10 September, less 30.00; one script a year before.
    expect(await goal('revenue', 'target')).toBe(40)
    expect([await goal('scripts', 'percentage'), await goal('visits', 'percentage')]).toEqual([100, 100])
  })

  it('count a visit for each person and day', async () => {
    const visits = await sent(STEADY.slice(0, 3), {}, { goal_type: 'visits', measure_by: 'target', goal: 6 })
    // All three on 12 September, and on 12 October.
    expect((await ask(visits)).body).toMatchObject({ total_current_goal_value: 6, total_made_goal: 1 })
  })

  it('compare sums with the same dates a year before, for the campaign’s medicines', async () => {
    const goal = { goal_type: 'scripts', measure_by: 'percentage', goal: 5, filters: { molecules: ['C10AA07'] } }
    const id = await sent(['g1', ...GROUPS.reached.ids], {}, goal)
    // 12 September and 12 October, against the fills of 28 September and 28 October 2025.
    const before = fillsBetween('2025-09-10', '2025-10-31')
    const { body } = await ask(id)
    expect(body).toMatchObject({
      total_scripts_kpi: expect.closeTo((2 - before) / before, 9),
      total_visits_kpi: expect.closeTo((2 - before) / before, 9),
      total_current_goal_value: expect.closeTo(((2 - before) / before) * 100, 9),
    })
    const info = await server.call(`/api/campaign/${id}/info/enterprise`, {}, world.bearer)
    expect(info.body).toMatchObject({ current_goal_value: body.total_current_goal_value, made_goal: false })
  })

  it('are empty while there is nothing to measure', async () => {
    const campaign = await makeCampaign(server, world.company.id, { locationIds: [world.pharmacy.id] })
    const { body, status } = await ask(campaign.uuid)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ total_revenue: null, total_roi: null, revenue_method: null, total_current_goal_value: null },
      ...{ total_messages: 0, total_cost: 0, total_pharmacies: 1, total_made_goal: 0 },
      progress: { messages: 0, delivered: 0 },
    })
  })
})

describe('messages in a period', () => {
  it('have revenue over 100 people, and name how many', async () => {
    const { pharmacy, locations, bearer } = world
    await sent(GROUPS.reached.ids)
    await world.inside((tx) => recountStats(tx, pharmacy.id))
    const [sums] = await asOwner<{ revenue: number; people: number; cost: number }>(
      server,
      `select (revenue_cents - expected_cents) / 100.0::float8 as revenue, earned_people as people, cost_cents / 100.0::float8 as cost
       from message_stat where location_id = $1 and period = 202609`,
      [pharmacy.id],
    )
    expect(sums!.people).toBeGreaterThan(100)
    const asked = { year: 2026, month: 9, pharmacy_ids: locations.map(({ uuid }) => uuid) }
    const { body } = await server.call<Record<string, unknown>>('/api/enterprise-message-stats', asked, bearer)
    const rests = { reason: null, method: 'run_rate', n_messaged: sums!.people, n_compared: null, low: null }
    expect(body).toMatchObject({
      total_revenue: expect.closeTo(sums!.revenue, 6),
      total_roi: expect.closeTo((sums!.revenue - sums!.cost) / sums!.cost, 6),
      total_result: rests,
      pharmacies: [
        { revenue: expect.closeTo(sums!.revenue, 6), result: rests },
        { revenue: null, result: { reason: 'not_started' } },
      ],
    })
  })
})

describe('a campaign’s charts show', () => {
  const look = (id: string) =>
    server.call<ReplyOf<typeof contract.campaign.pictures>>(`/api/campaign/${id}/pictures/enterprise`, {}, world.bearer)

  it('its messages by day, and the patients compared', async () => {
    const id = await sent(GROUPS.nothing.ids, { held_out: GROUPS.nothingKept.ids })
    const { body } = await look(id)
    expect(body.days).toEqual([{ day: '2026-09-10', delivered: 300, failed: 0, held_back: 200, unsettled: 0 }])
    const [treated, kept] = [momentsOf(GROUPS.nothing.post), momentsOf(GROUPS.nothingKept.post)]
    const found = differenceOfMeans(treated, kept)
    expect(body.groups).toMatchObject({
      method: 'holdout',
      means: [
        { part: 'messaged', n: 300, mean: expect.closeTo(treated.sum / 300, 6) },
        { part: 'compared', n: 200, low: expect.closeTo(meanOf(kept).low, 6) },
      ],
      difference: { mean: expect.closeTo(found.difference, 6), low: expect.closeTo(found.low, 6) },
    })
    const { body: stats } = await ask(id)
    expect(stats.total_revenue).toBe(toTheCent(body.groups.difference!.mean * 300))
    expect(stats.revenue_high).toBe(toTheCent(body.groups.difference!.high * 300))
    const few = await look(await sent(['g2']))
    expect(few.body.groups).toEqual({ method: null, means: [], difference: null, subgroups: [] })
  })

  it('its goal week by week, up to the figure of today', async () => {
    const goal = { goal_type: 'scripts', measure_by: 'target', goal: 40, start_day: '2026-09-10' }
    const id = await sent(STEADY, {}, goal)
    const { body } = await look(id)
    // Ten fills on 12 September and ten on 12 October.
    expect(body.goal.slice(0, 5)).toEqual(
      ['2026-09-16', '2026-09-23', '2026-09-30', '2026-10-07', '2026-10-14'].map((day, at) => ({
        ...{ day, value: at < 4 ? 10 : 20 },
      })),
    )
    expect(body.goal.at(-1)).toEqual({ day: DATA_TO, value: (await ask(id)).body.total_current_goal_value })
    const adherence = await look(await sent(STEADY, {}, { ...goal, goal_type: 'adherence', goal: 80 }))
    expect(adherence.body.goal).toHaveLength(body.goal.length)
    expect(adherence.body.goal.every(({ value }) => value !== null && value > 90)).toBe(true)
  })

  it('its meter with the pace needed, and nothing before anything is sent', async () => {
    const goal = {
      goal_type: 'scripts',
      measure_by: 'target',
      goal: 40,
      start_day: '2026-09-10',
      end_day: '2026-12-18',
    }
    const info = async (id: string) =>
      (
        await server.call<ReplyOf<typeof contract.campaign.info>>(
          `/api/campaign/${id}/info/enterprise`,
          {},
          world.bearer,
        )
      ).body
    const { goal_place: place, current_goal_value } = await info(await sent(STEADY, {}, goal))
    const days = (Date.parse(DATA_TO) - Date.parse('2026-09-10')) / 86_400_000 + 1
    expect(current_goal_value).toBe(20)
    expect(place).toEqual({
      ...{ started: true, start: 0, now: 20, goal: 40, measured_to: DATA_TO },
      pace: {
        ...{ unit: 'a_day', needed: expect.closeTo(20 / (100 - days), 9), so_far: expect.closeTo(20 / days, 9) },
        ...{ days: 100 - days, behind: 20 / (100 - days) > 20 / days },
      },
    })
    const kept = await info(await sent([], { no_consent: STEADY }, goal))
    expect(kept).toMatchObject({ current_goal_value: null, made_goal: false })
    expect(kept.goal_place).toMatchObject({ started: false, now: null, goal: 40, pace: null })
  })
})
