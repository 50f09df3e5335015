import { differenceRevenue, holdoutRevenue, momentsOf } from '@pillar/domain/campaign/campaign-result'
import { toTheCent } from '@pillar/domain/figure/money'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, fresh, makeCompany, makeLocation, makeLogin, signIn } from '../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import {
  fillsBetween,
  GROUPS,
  type GroupsWorld,
  makeGroupsWorld,
  type People,
  STEADY,
} from '../../../test/world/attribution-groups.ts'
import { DATA_TO } from '../../../test/world/attribution-world.ts'
import { recountQueuedStats } from '../sending/recount.ts'
import { refreshCampaigns } from './campaign-result.queries.ts'
import { recountCampaigns } from './campaign-stat.queries.ts'
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
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

describe('campaign revenue', () => {
  it('matches the worked example with a holdout', async () => {
    const id = await sent(GROUPS.treated.ids, { held_out: GROUPS.withheld.ids }, { goal: 50_000 })
    const { body, status } = await ask(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      revenue_method: 'holdout',
      total_revenue: 5580,
      total_revenue_change: expect.closeTo(6.2 / 52, 9),
      ...{ total_cost: 108, total_roi: expect.closeTo(50.6667, 3), total_messages: 900, total_reach: 900 },
      ...{ total_sms_delivered: 900, total_email_delivered: 0, total_pharmacies: 2, data_to: DATA_TO },
      // Everybody selected counts towards the goal, held back or not: 900 × 58.20 + 100 × 52.00.
      ...{ total_current_goal_value: expect.closeTo(57_580, 6), total_made_goal: 1 },
    })
    // No spread except rounding.
    expect(body.revenue_low).toBeCloseTo(5580, 2)
    expect(body.pharmacies).toMatchObject([
      { rank: 1, pharmacy_id: world.locations[0]!.uuid, made_goal: true, revenue_method: 'holdout', stopped: false },
      {
        rank: 2,
        pharmacy_id: world.locations[1]!.uuid,
        messages: 0,
        revenue: null,
        revenue_method: null,
        made_goal: false,
      },
    ])
  })

  it('compares with patients who could not be reached, whatever their level', async () => {
    const { reached, unreached } = GROUPS
    const { body } = await ask(await sent(reached.ids, { no_contact: unreached.ids }))
    const change = ({ post, pre }: People) => momentsOf(post.map((value, at) => value - pre[at]!))
    const attributed = reached.post.reduce((sum, value) => sum + value, 0)
    const expected = differenceRevenue(change(reached), change(unreached), attributed)!
    expect(body).toMatchObject({
      revenue_method: 'difference_in_differences',
      revenue_method_name: 'Compared with similar patients not messaged',
      total_revenue: toTheCent(expected.revenue),
      total_revenue_change: expect.closeTo(expected.change!, 9),
      revenue_low: toTheCent(expected.interval![0]),
      revenue_high: toTheCent(expected.interval![1]),
    })
    // The true effect: 13 dollars more against 5 dollars more.
    const truth = 8 * reached.ids.length
    expect(body.revenue_low).toBeLessThan(truth)
    expect(body.revenue_high).toBeGreaterThan(truth)
    expect(body.revenue_low).toBeGreaterThan(0)
  })

  it('is near zero if the campaign had no effect', async () => {
    const { nothing, nothingKept } = GROUPS
    const { body } = await ask(await sent(nothing.ids, { held_out: nothingKept.ids }))
    const expected = holdoutRevenue(momentsOf(nothing.post), momentsOf(nothingKept.post))!
    expect(body).toMatchObject({ revenue_method: 'holdout', total_revenue: toTheCent(expected.revenue) })
    expect(body.revenue_low).toBeLessThan(0)
    expect(body.revenue_high).toBeGreaterThan(0)
    expect(Math.abs(Number(body.total_revenue_change))).toBeLessThan(0.05)
  })

  it('is labelled an estimate if there is no comparison group', async () => {
    const { reached } = GROUPS
    const people = [...reached.ids, 'g1']
    const id = await sent(people, {}, { goal_type: 'adherence', measure_by: 'percentage', goal: 3 })
    const { body } = await ask(id)
    // g1: 20.00 on 12 September; 30 days to 9 October: the next is outside. The year before 10 September: 13 fills from 28 September 2025.
    const before = 20 * fillsBetween('2025-09-10', '2026-09-09')
    const expected = ((before + sumOf(reached.pre)) * 30) / 365
    expect(body).toMatchObject({
      revenue_method: 'run_rate',
      revenue_method_name: 'Estimate, compared with the patients’ previous year',
      total_revenue: expect.closeTo(20 + sumOf(reached.post) - expected, 1),
      ...{ revenue_low: null, revenue_high: null },
      total_result: { reason: null, method: 'run_rate', low: null, high: null, n_messaged: 261, n_compared: null },
    })
  })

  it('gives the return on what was paid for its own people', async () => {
    const place = { id: world.pharmacy.id, timeZone: 'Australia/Sydney', dataTo: DATA_TO }
    const without = async (id: string, change: string, patients: number) => {
      await asOwner(
        server,
        `update touch set ${change} where (run_id, patient_id) in (
           select t.run_id, t.patient_id from touch t join campaign c on c.id = t.campaign_id where c.uuid = $1 and t.whole_year
             and t.part = 'messaged' and t.to_day is not null order by t.patient_id limit ${patients})`,
        [id],
      )
      await world.inside((tx) => recountCampaigns(tx, place.id))
      await world.inside((tx) => refreshCampaigns(tx, place))
      const { body } = await ask(id)
      const [revenue, paid] = [Number(body.total_revenue), Number(body.total_roi_cost)]
      expect(body.total_roi).toBeCloseTo((revenue - paid) / paid, 9)
      expect(body.pharmacies[0]).toMatchObject({ roi: body.total_roi })
      return [body.total_cost, paid, (body.total_result as { n_messaged: number }).n_messaged]
    }
    const cents = (patients: number) => expect.closeTo(patients * 0.12, 9)
    const estimated = await sent([...GROUPS.reached.ids, 'g1'])
    expect(await without(estimated, 'whole_year = whole_year', 0)).toEqual([cents(261), cents(261), 261])
    // The first lack the year before in the data, the second have no data after the message.
    expect(await without(estimated, 'whole_year = false', 61)).toEqual([cents(261), cents(200), 200])
    expect(await without(estimated, 'to_day = null, computed_to = null', 10)).toEqual([cents(261), cents(190), 190])
    const held = await sent(GROUPS.treated.ids.slice(0, 120), { held_out: GROUPS.withheld.ids })
    expect(await without(held, 'whole_year = false', 50)).toEqual([cents(120), cents(120), 120])
    expect(await without(held, 'to_day = null, computed_to = null', 10)).toEqual([cents(120), cents(110), 110])
  })

  it('is not shown for 22 texts, nor for a pharmacy with 99 messaged patients', async () => {
    const none = { revenue: null, revenue_change: null, roi: null, revenue_method: null }
    for (const count of [22, 99]) {
      const { body } = await ask(await sent(GROUPS.treated.ids.slice(0, count), { held_out: GROUPS.withheld.ids }))
      expect(body).toMatchObject({
        ...{
          total_revenue: null,
          total_revenue_change: null,
          total_roi: null,
          revenue_low: null,
          revenue_method: null,
        },
        ...{ total_scripts_kpi: null, total_visits_kpi: null, total_cost: expect.closeTo(count * 0.12, 9) },
        total_result: { reason: 'too_few', method: null, low: null, high: null, n_messaged: count, n_compared: null },
      })
      expect(body.pharmacies[0]).toMatchObject({ ...none, result: { reason: 'too_few', n_messaged: count } })
      expect(body.pharmacies[1]).toMatchObject({ ...none, result: { reason: 'not_started', n_messaged: 0 } })
    }
    const { body } = await ask(await sent(GROUPS.treated.ids.slice(0, 100), { held_out: GROUPS.withheld.ids }))
    expect(body).toMatchObject({
      total_revenue: expect.closeTo(620, 6),
      total_result: { reason: null, method: 'holdout', n_messaged: 100, n_compared: 100 },
    })
  })
})

it('the cost of today’s messages is shown beside the return on a period’s messages until an upload covers them', async () => {
  const id = await sent(STEADY)
  await asOwner(server, 'delete from touch where campaign_id = (select id from campaign where uuid = $1)', [id])
  await world.inside((tx) => recountStats(tx, world.pharmacy.id))
  const [row] = await asOwner(
    server,
    `select s.unmeasured_cents::int as left, (select sum(m.cents)::int from message m join message_run r on r.id = m.run_id
       where r.campaign_id = (select id from campaign where uuid = $2)) as today from message_stat s where location_id = $1 and period = 202600`,
    [world.pharmacy.id, id],
  )
  expect(row).toMatchObject({ left: row!.today, today: STEADY.length * 12 })
})

describe('campaign results', () => {
  const computed = async (uuid: string) => {
    const [row] = await asOwner<{ to: string; adherence: number }>(
      server,
      `select r.computed_to::text as to from campaign_result r join campaign c on c.id = r.campaign_id where c.uuid = $1`,
      [uuid],
    )
    return row?.to ?? null
  }

  it('appear soon after a campaign is sent, and follow the next upload', async () => {
    const id = await sent(STEADY, {}, { goal_type: 'adherence', measure_by: 'percentage' })
    await asOwner(server, 'delete from campaign_result; delete from campaign_stat')
    expect(await computed(id)).toBeNull()
    await asOwner(
      server,
      `insert into stat_recount_queue (location_id, company_id, since) values (${world.pharmacy.id}, ${world.company.id}, now() - interval '1 minute')
       on conflict (location_id) do update set since = excluded.since`,
    )
    // The server's own loop does the same work: whichever comes first.
    await recountQueuedStats(server.services)
    await expect.poll(() => computed(id), { timeout: 20_000 }).toBe(DATA_TO)
    const before = (await ask(id)).body
    expect(before).toMatchObject({ total_messages: 10, total_current_goal_value: expect.closeTo((-2 / 365) * 100, 9) })
    const status = await world.pharmacy.load(
      {
        scripts: `script_id,dispensed_on,patient_id,drug_id,units,patient_type,patient_price\n${STEADY.map(
          (one) => `late-${one},2026-11-11,${one},A,30,General,20.00\n`,
        ).join('')}`,
      },
      { to: '2026-11-20' },
    )
    expect(status.etl_state).toBe('COMPLETED')
    await expect.poll(() => computed(id), { timeout: 30_000 }).toBe('2026-11-20')
    // The window moves past the gap-free days of November 2025; the new fill covers to its end.
    const after = (await ask(id)).body
    expect(after.data_to).toBe('2026-11-20')
    expect(after.total_current_goal_value).toBeCloseTo(((346 - 348) / 365) * 100, 9)
    const scripts = () =>
      asOwner<{ n: number }>(
        server,
        'select scripts as n from campaign_result r join campaign c on c.id = r.campaign_id where c.uuid = $1',
        [id],
      )
    expect((await scripts())[0]!.n).toBe(30)
  })

  it('are completed when a pharmacy uploads again long after a campaign has ended', async () => {
    const id = await sent(['g1'], {}, { end_day: '2026-10-01' })
    const upTo = async (dataTo: string) => {
      const place = { id: world.pharmacy.id, timeZone: 'Australia/Sydney', dataTo }
      await world.inside((tx) => refreshCampaigns(tx, place))
      const days =
        'select r.to_day::text as day from campaign_result r join campaign c on c.id = r.campaign_id where c.uuid = $1'
      return (await asOwner(server, days, [id]))[0]
    }
    expect(await upTo('2026-09-20')).toEqual({ day: '2026-09-20' })
    expect(await upTo('2027-03-01')).toEqual({ day: '2026-10-01' })
  })
})

describe('a test patient', () => {
  it('counts towards no goal, with everything dispensed to them', async () => {
    const id = await sent(STEADY)
    const place = { id: world.pharmacy.id, timeZone: 'Australia/Sydney', dataTo: DATA_TO }
    const people = () =>
      asOwner<{ people: number; cents: number }>(
        server,
        'select r.people::int, r.cents::int from campaign_result r join campaign c on c.id = r.campaign_id where c.uuid = $1 and r.people > 0',
        [id],
      )
    const [before] = await people()
    await asOwner(
      server,
      `update message m set fake = true from message_run r join campaign c on c.id = r.campaign_id
       where r.id = m.run_id and c.uuid = $1 and m.patient_id = (
         select min(o.patient_id) from message o where o.run_id = m.run_id)`,
      [id],
    )
    await world.inside((tx) => refreshCampaigns(tx, place))
    const [after] = await people()
    expect(after!.people).toBe(before!.people - 1)
    expect(after!.cents).toBeLessThan(before!.cents)
  })
})

describe('requests for results', () => {
  it('keep ranks when only some pharmacies are requested, with their totals', async () => {
    const id = await sent(['g1'])
    const { body } = await ask(id, { pharmacy_ids: [world.locations[1]!.uuid] })
    expect(body).toMatchObject({ total_pharmacies: 1, total_messages: 0, total: 1 })
    expect(body.pharmacies).toMatchObject([{ rank: 2, pharmacy_id: world.locations[1]!.uuid }])
    expect((await ask(id, { pharmacy_ids: [] })).body).toMatchObject({ total_pharmacies: 0, pharmacies: [], total: 0 })
    expect((await ask(id, { page: 2 })).body).toMatchObject({ pharmacies: [], page_count: 1, total: 2 })
  })

  it('find no campaign or pharmacy of another company', async () => {
    const id = await sent(['g2'])
    const stranger = await makeCompany(server, fresh('Other'))
    const place = await makeLocation(server, stranger.id)
    const login = await makeLogin(server, stranger.id, { flags: ['data_analytics'] })
    const own = (await signIn(server, login)).bearer
    const theirs = await server.call('/api/campaign/enterprise/stats', { campaign_id: id }, own)
    const nobodys = await server.call(
      '/api/campaign/enterprise/stats',
      { campaign_id: '019aa000-0000-7000-8000-000000000001' },
      own,
    )
    expect(theirs.status).toBe(404)
    expect(theirs.body).toEqual(nobodys.body)
    expect((await ask(id, { pharmacy_ids: [place.uuid] })).status).toBe(404)
    expect((await ask('nothing')).status).toBe(422)
  })
})
