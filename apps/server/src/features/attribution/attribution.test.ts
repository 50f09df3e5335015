import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeLogin, signIn } from '../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import {
  type AttributionWorld,
  DATA_TO,
  delivered,
  type Line,
  makeAttributionWorld,
  sentCampaign,
  skipped,
} from '../../../test/world/attribution-world.ts'
import { recountStats } from './message-stat.queries.ts'
import { refreshTouches } from './touch.queries.ts'

let server: UploadServer
let world: AttributionWorld

const LINES: Line[] = [
  ['1', '2025-09-20', 'A', 20],
  ['1', '2026-03-01', 'A', 53],
  ['1', '2026-09-10', 'A', 40],
  ['1', '2026-10-09', 'A', 42],
  ['1', '2026-10-10', 'A', 44],
  ['2', '2026-09-15', 'D', 30],
  ['2', '2026-09-20', 'A', 31],
  ['3', '2026-09-12', 'A', 15],
  ['5', '2025-11-01', 'A', 8],
  ['5', '2026-09-12', 'A', 50],
  ['5', '2026-09-14', 'A', -20],
  // More money than fits in four bytes.
  ...Array.from({ length: 30 }, (_, at): Line => ['6', `2026-09-${String(at + 1).padStart(2, '0')}`, 'A', 999_999.99]),
  // Makes the data reach back a year before the messages.
  ['4', '2025-09-01', 'D', 10],
]

beforeAll(async () => {
  server = await startUploadServer({ work: true })
  world = await makeAttributionWorld(server, ['1', '2', '3', '4', '5', '6'], LINES)
})
afterAll(() => server.close())

/** Creates a run to these patients, for a campaign with these filters. @returns its id */
async function send(settled: Record<string, string[]>, filters: object): Promise<number> {
  return (await sentCampaign(server, world, settled, { filters })).run.id
}

async function touches(runId: number): Promise<unknown[]> {
  await world.inside((tx) =>
    refreshTouches(tx, { id: world.pharmacy.id, timeZone: 'Australia/Sydney', dataTo: DATA_TO }),
  )
  const { rows } = await sql`
    select p.source_id as who, t.part, t.from_day::text as from, t.to_day::text as to, t.cents, t.scripts, t.visits, t.year_before_cents as before, t.pre_cents as pre
    from touch t join patient p on p.location_id = t.location_id and p.id = t.patient_id where t.run_id = ${runId} order by 1`.execute(
    server.owner,
  )
  return rows
}

describe('touches', () => {
  let first: number
  it('count the campaign’s medicines for 30 days from delivery, in the pharmacy’s time zone', async () => {
    const failed = `state = 'failed', sent_at = '2026-09-10T02:00:00Z', reason = 'Number not in service', parts = 1, cents = 12`
    first = await send(
      {
        // 9 pm in London is the next day in Sydney.
        [delivered('2026-09-09T20:00:00Z', 2)]: ['1', '2'],
        [failed]: ['3'],
        [skipped('no_contact')]: ['4'],
      },
      { molecules: ['C10AA07'] },
    )
    expect(await touches(first)).toEqual([
      {
        who: '1',
        part: 'messaged',
        from: '2026-09-10',
        to: '2026-10-09',
        cents: 8200,
        scripts: 2,
        visits: 2,
        before: 7300,
        pre: 2000,
      },
      {
        who: '2',
        part: 'messaged',
        from: '2026-09-10',
        to: '2026-10-09',
        cents: 3100,
        scripts: 1,
        visits: 1,
        before: 0,
        pre: 0,
      },
      {
        who: '3',
        part: 'attempted',
        from: '2026-09-10',
        to: '2026-10-09',
        cents: 1500,
        scripts: 1,
        visits: 1,
        before: 0,
        pre: 0,
      },
      {
        who: '4',
        part: 'not_messaged',
        from: '2026-09-10',
        to: '2026-10-09',
        cents: 0,
        scripts: 0,
        visits: 0,
        before: 0,
        pre: 0,
      },
    ])
  })

  it('end when a later message begins', async () => {
    const second = await send({ [delivered('2026-10-09T01:00:00Z')]: ['1'] }, {})
    expect(await touches(second)).toMatchObject([{ from: '2026-10-09', to: DATA_TO, cents: 8600, scripts: 2 }])
    expect(await touches(first)).toMatchObject([{ who: '1', to: '2026-10-08', cents: 4000, scripts: 1 }, {}, {}, {}])
  })

  it('wait for data that covers the delivery', async () => {
    const late = await send({ [delivered('2026-11-15T01:00:00Z')]: ['3'] }, {})
    expect(await touches(late)).toMatchObject([{ part: 'messaged', from: '2026-11-15', to: null, cents: 0 }])
  })
})

describe('message statistics', () => {
  const ask = (path: string, body: object, as = world.bearer) => server.call<Record<string, unknown>>(path, body, as)
  const earned = async (period = 202609) => {
    const [row] = await asOwner<Record<'cents' | 'expected' | 'people' | 'paid' | 'unmeasured', number>>(
      server,
      `select revenue_cents::int as cents, expected_cents::int as expected, earned_people as people, cost_cents::int as paid,
         unmeasured_cents::int as unmeasured from message_stat
       where location_id = $1 and period = $2`,
      [world.pharmacy.id, period],
    )
    return row!
  }

  it('sum a calendar period: delivered, reach, cost of accepted messages, revenue above the expected', async () => {
    await world.inside((tx) => recountStats(tx, world.pharmacy.id))
    const { body, status } = await ask('/api/enterprise-message-stats', {
      year: 2026,
      month: 9,
      pharmacy_ids: [world.locations[0]!.uuid],
    })
    expect(status).toBe(200)
    // Patient 1 until the next message: 40.00 against 73.00 × 29 / 365; patient 2: 31.00 against nothing.
    expect(await earned()).toMatchObject({ cents: 7100, expected: Math.round(7300 * (29 / 365)), people: 2 })
    expect(body).toMatchObject({
      ...{
        total_sms: 2,
        total_email: 0,
        total_reach: 2,
        total_sms_parts: 5,
        num_campaign_messages: 2,
        num_normal_messages: 0,
      },
      // Two people are too few to tell what the messages did.
      ...{ total_cost: expect.closeTo(0.6, 9), total_revenue: null, total_revenue_change: null, total_roi: null },
      total_result: { reason: 'too_few', method: null, low: null, high: null, n_messaged: 2, n_compared: null },
      ...{ total_pharmacies: 1, page_count: 1, data_to: DATA_TO },
      period: { key: '2026-09', from: '2026-09-01', to: '2026-09-30', running: false },
    })
    expect(body.pharmacies).toMatchObject([
      { rank: 1, sms: 2, reach: 2, revenue: null, roi: null, result: { reason: 'too_few', n_messaged: 2 } },
    ])
  })

  it('leave out revenue of people without a full previous year of data', async () => {
    const data = (from: string) =>
      asOwner(server, 'update location set data_from = $2 where id = $1 returning data_from', [world.pharmacy.id, from])
    const people = async () => {
      await asOwner(server, 'update touch set computed_to = null where location_id = $1', [world.pharmacy.id])
      await touches(0)
      await world.inside((tx) => recountStats(tx, world.pharmacy.id))
      return earned()
    }
    // Nor does the return on them include the cost of their messages.
    await data('2025-09-11')
    expect(await people()).toMatchObject({ people: 0, paid: 60, unmeasured: 60 })
    await data('2025-09-01')
    expect(await people()).toMatchObject({ people: 2, paid: 60, unmeasured: 0 })
    // A message the data have not reached yet costs money and brings in nothing.
    expect(await earned(202611)).toMatchObject({ paid: 12, unmeasured: 12 })
  })

  it('count a person once per period, however often reached', async () => {
    const { body } = await ask('/api/enterprise-message-stats', {
      year: 2026,
      pharmacy_ids: [world.locations[0]!.uuid],
    })
    expect(body).toMatchObject({ total_sms: 4, total_reach: 3, period: { key: 'C2026', from: '2026-01-01' } })
    const byChannel = await asOwner(
      server,
      'select sms, sms_people, email, email_people from message_stat where location_id = $1 and period = 202600',
      [world.pharmacy.id],
    )
    expect(byChannel).toEqual([{ sms: 4, sms_people: 3, email: 0, email_people: 0 }])
  })

  it('show for one pharmacy what was sent and what happened to it', async () => {
    const asked = { pharmacy_id: world.locations[0]!.uuid, year: 2026, quarter: 3 }
    const { body } = await ask('/api/enterprise-pharmacy-message-stats', asked)
    expect(body).toMatchObject({
      ...{ delivered: 2, failed: 1, held_back: 1, queued: 0, num_campaign_messages: 2 },
      failures: [{ text: 'Number not in service', count: 1 }],
    })
  })

  it('are compared with the same days a year earlier', async () => {
    const [place] = world.locations
    const past = (patient: number, at: string) =>
      asOwner(
        server,
        `insert into message (location_id, run_id, batch_id, patient_id, channel, state, contact, body, parts, cents, sent_at, settled_at, created_at)
         select location_id, run_id, batch_id, $2, channel, state, contact, body, parts, cents, $3, $3, $3 from message
         where location_id = $1 and state = 'delivered' and channel = 'sms' order by id limit 1`,
        [place!.id, patient, at],
      )
    const changes = async (period: object, as = world.bearer) => {
      const { body } = await ask('/api/enterprise-message-stats', { ...period, pharmacy_ids: [place!.uuid] }, as)
      const [row] = body.pharmacies as Record<string, unknown>[]
      return [row!.sms_change, row!.reach_change, body.total_sms_change, body.compared_with]
    }
    const september = { from: '2025-09-01', to: '2025-09-30' }
    expect(await changes({ year: 2026, month: 9 })).toEqual([null, null, null, september])
    await past(-1, '2025-08-20T02:00:00Z')
    await past(-2, '2025-09-20T02:00:00Z')
    await past(-3, '2025-12-30T02:00:00Z')
    await world.inside((tx) => recountStats(tx, world.pharmacy.id))
    expect(await changes({ year: 2026, month: 9 })).toEqual([1, 1, 1, september])
    // The pharmacy's first messages are less than a year old: there is no whole year to compare with.
    expect((await changes({ year: 2026 }))[0]).toBeNull()
    await past(-4, '2024-12-20T02:00:00Z')
    await world.inside((tx) => recountStats(tx, world.pharmacy.id))
    server.clock.offsetMs = Date.parse('2026-11-22T02:00:00Z') - Date.now()
    const then = await signIn(server, await makeLogin(server, world.company.id, { flags: ['data_analytics'] }))
    const running = await changes({ year: 2026 }, then.bearer)
    server.clock.offsetMs = 0
    // During the year only the days up to today count, and people reached do not add up over days.
    expect(running).toEqual([1, null, 1, { from: '2025-01-01', to: '2025-11-22' }])
  })

  it('can be downloaded as a file with the total first', async () => {
    const pharmacy_ids = [world.locations[0]!.uuid]
    const { body } = await ask('/api/enterprise-message-stats-csv', { year: 2026, month: 9, pharmacy_ids })
    const lines = String(body).split('\n')
    expect(lines[0]).toBe(
      'Rank,Pharmacy,SMS,Email,Reach,"Cost, AUD","Revenue, AUD",Change %,ROI,Based on patients,Note,From,To',
    )
    expect(lines[1]).toMatch(/^,TOTAL,2,0,2,0\.60,,,,2,Too few to tell,2026-09-01,2026-09-30$/)
    expect(lines[2]).toMatch(/^,Pharmacy \d+,2,0,2,0\.60,,,,2,Too few to tell,2026-09-01,2026-09-30$/)
    const year = await ask('/api/enterprise-message-stats-csv', { year: 2026 })
    expect(year.headers['content-disposition']).toContain('filename="messages_2026.csv"')
  })

  it('are not found for another company’s pharmacy', async () => {
    const asked = { pharmacy_id: '019aa000-0000-7000-8000-000000000001', year: 2026 }
    expect((await ask('/api/enterprise-pharmacy-message-stats', asked)).status).toBe(404)
  })
})

describe('a campaign about a medicine', () => {
  it('earns nothing from other medicines when nobody was dispensed it', async () => {
    const run = await send({ [delivered('2026-09-11T01:00:00Z')]: ['3'] }, { molecules: ['N06AB03'] })
    expect(await touches(run)).toMatchObject([{ part: 'messaged', from: '2026-09-11', cents: 0, scripts: 0 }])
  })

  it('counts a medicine without an ATC code by its key', async () => {
    await asOwner(server, `update molecule set atc = null, key = 'rosuvastatin' where atc = 'C10AA07'`)
    const run = await send({ [delivered('2026-09-12T02:00:00Z')]: ['3'] }, { molecules: ['rosuvastatin'] })
    expect(await touches(run)).toMatchObject([{ part: 'messaged', cents: 1500, scripts: 1 }])
  })
})

describe('money of touches', () => {
  it('excludes refunds, which are neither scripts nor visits', async () => {
    const run = await send({ [delivered('2026-09-10T01:00:00Z')]: ['5'] }, {})
    expect(await touches(run)).toMatchObject([{ cents: 3000, scripts: 1, visits: 1, before: 800 }])
  })

  it('may exceed four bytes', async () => {
    const run = await send({ [delivered('2026-09-01T01:00:00Z')]: ['6'] }, {})
    expect(await touches(run)).toMatchObject([{ cents: 30 * 99_999_999, scripts: 30 }])
    const { rows } = await sql<{ cents: number }>`
      select max(revenue_cents) as cents from metric_cell where location_id = ${world.pharmacy.id} and period = 202609`.execute(
      server.owner,
    )
    expect(Number(rows[0]!.cents)).toBeGreaterThan(30 * 99_999_999)
  })
})
