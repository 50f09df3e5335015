import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EtlServer, startEtlServer, type TestPharmacy } from '../../../test/etl.ts'
import { type MessagingWorld, makeCampaign, makeRun } from '../../../test/messaging.ts'
import { asOwner, makeLogin, signIn } from '../../../test/people.ts'
import { inScope } from '../../db/database.ts'
import { recountStats } from './message-stat.queries.ts'
import { refreshTouches } from './touch.queries.ts'

let server: EtlServer
let pharmacy: TestPharmacy
let world: MessagingWorld
let bearer: Record<string, string>
const patients = new Map<string, number>()

const DATA_TO = '2026-10-31'
/** Patient, day, drug, dollars. A is rosuvastatin, D an antibiotic. */
const SCRIPTS: [string, string, string, number][] = [
  ['1', '2025-09-20', 'A', 20],
  ['1', '2026-03-01', 'A', 53],
  ['1', '2026-09-10', 'A', 40],
  ['1', '2026-10-09', 'A', 42],
  ['1', '2026-10-10', 'A', 44],
  ['2', '2026-09-15', 'D', 30],
  ['2', '2026-09-20', 'A', 31],
  ['3', '2026-09-12', 'A', 15],
]

beforeAll(async () => {
  server = await startEtlServer({ work: true })
  pharmacy = await server.pharmacy()
  const script = ([patient, day, drug, dollars]: (typeof SCRIPTS)[number], at: number) =>
    `s${at},${day},${patient},${drug},30,General,${dollars}.00`
  const status = await pharmacy.load(
    {
      patients: 'patient_id,sex,first_name,last_name\n1,F,Ann,Ash\n2,M,Bo,Beech\n3,F,Cy,Cedar\n4,M,Di,Dogwood\n',
      drugs: 'drug_id,name,atc,pack_size\nA,Rosuvastatin,C10AA07,30\nD,Amoxicillin,J01CA04,20\n',
      scripts: `script_id,dispensed_on,patient_id,drug_id,units,patient_type,patient_price\n${SCRIPTS.map(script).join('\n')}\n`,
    },
    { to: DATA_TO, initial_upload: 'true' },
  )
  expect(status.etl_state).toBe('COMPLETED')
  const [place] = await asOwner<{ company_id: number; uuid: string; name: string }>(
    server,
    'select company_id, uuid, name from location where id = $1',
    [pharmacy.id],
  )
  const company = { id: place!.company_id, uuid: '', name: '' }
  const scope = { companyId: company.id, locationIds: [pharmacy.id] }
  world = {
    company,
    scope,
    locations: [{ id: pharmacy.id, uuid: place!.uuid, key: pharmacy.key, name: place!.name }],
    inside: (work) => inScope(server.services.pools.app, scope, work),
  }
  for (const row of await asOwner<{ id: number; source_id: string }>(server, 'select id, source_id from patient'))
    patients.set(row.source_id, row.id)
  const login = await makeLogin(server, company.id, { flags: ['data_analytics'] })
  bearer = (await signIn(server, login)).bearer
})
afterAll(() => server.close())

const person = (id: string) => ({
  id: patients.get(id)!,
  locationId: pharmacy.id,
  sms_to: '+61400000001',
  email_to: null,
})

async function send(ids: string[], filters: object, settle: (patient: string) => string): Promise<number> {
  const campaign = await makeCampaign(server, world.company.id, { locationIds: [pharmacy.id] })
  await asOwner(server, 'update campaign set filters = $2 where id = $1', [campaign.id, JSON.stringify(filters)])
  const startsAt = new Date('2026-09-10T00:00:00Z')
  const run = await makeRun(server, world, {
    campaignId: campaign.id,
    patients: ids.map(person),
    startsAt,
    state: 'done',
  })
  for (const id of ids) {
    await asOwner(server, `update message set ${settle(id)} where run_id = $1 and patient_id = $2`, [
      run.id,
      patients.get(id),
    ])
  }
  return run.id
}

const delivered = (at: string) => `state = 'delivered', sent_at = '${at}', settled_at = '${at}', parts = 2, cents = 24`

async function touches(runId: number): Promise<unknown[]> {
  await world.inside((tx) => refreshTouches(tx, { id: pharmacy.id, timeZone: 'Australia/Sydney', dataTo: DATA_TO }))
  const { rows } = await sql`
    select p.source_id as who, t.part, t.from_day::text as from, t.to_day::text as to, t.cents, t.scripts, t.visits, t.year_before_cents as before, t.pre_cents as pre
    from touch t join patient p on p.location_id = t.location_id and p.id = t.patient_id where t.run_id = ${runId} order by 1`.execute(
    server.owner,
  )
  return rows
}

describe('touches', () => {
  let first: number
  it('count what the campaign is about, from the day of delivery for 30 days, by the pharmacy’s clock', async () => {
    first = await send(['1', '2', '3', '4'], { molecules: ['C10AA07'] }, (id) => {
      if (id === '3') return "state = 'failed', sent_at = '2026-09-10T02:00:00Z', reason = 'Number not in service'"
      if (id === '4') return "state = 'skipped', reason = 'no_contact'"
      // 9 pm in London is the next day in Sydney.
      return delivered('2026-09-09T20:00:00Z')
    })
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

  it('end where a later message takes over', async () => {
    const second = await send(['1'], {}, () => delivered('2026-10-09T01:00:00Z'))
    expect(await touches(second)).toMatchObject([{ from: '2026-10-09', to: DATA_TO, cents: 8600, scripts: 2 }])
    expect(await touches(first)).toMatchObject([{ who: '1', to: '2026-10-08', cents: 4000, scripts: 1 }, {}, {}, {}])
  })

  it('wait for data that do not reach the delivery yet', async () => {
    const late = await send(['3'], {}, () => delivered('2026-11-15T01:00:00Z'))
    expect(await touches(late)).toMatchObject([{ part: 'messaged', from: '2026-11-15', to: null, cents: 0 }])
  })
})

describe('message statistics', () => {
  const ask = (path: string, body: object) => server.call<Record<string, unknown>>(path, body, bearer)

  it('sum a calendar period: delivered, reach, cost of what was accepted, revenue above what was to be expected', async () => {
    await world.inside((tx) => recountStats(tx, pharmacy.id))
    const { body, status } = await ask('/api/enterprise-message-stats', {
      year: 2026,
      month: 9,
      pharmacy_ids: [world.locations[0]!.uuid],
    })
    expect(status).toBe(200)
    // Patient 1 until the next message: 40.00 against 73.00 × 29 / 365; patient 2: 31.00 against nothing.
    const expected = Math.round(7300 * (29 / 365)) / 100
    const revenue = 71 - expected
    expect(body).toMatchObject({
      ...{
        total_sms: 2,
        total_email: 0,
        total_reach: 2,
        total_sms_parts: 5,
        num_campaign_messages: 2,
        num_normal_messages: 0,
      },
      ...{ total_cost: expect.closeTo(0.6, 9), total_revenue: expect.closeTo(revenue, 9) },
      total_revenue_change: expect.closeTo(revenue / expected, 9),
      total_roi: expect.closeTo((revenue - 0.6) / 0.6, 9),
      ...{ total_pharmacies: 1, page_count: 1, data_to: DATA_TO },
      period: { key: '2026-09', from: '2026-09-01', to: '2026-09-30', running: false },
    })
    expect(body.pharmacies).toMatchObject([{ rank: 1, sms: 2, reach: 2, revenue: expect.closeTo(revenue, 9) }])
  })

  it('count one person once a period, however often reached', async () => {
    const { body } = await ask('/api/enterprise-message-stats', {
      year: 2026,
      pharmacy_ids: [world.locations[0]!.uuid],
    })
    expect(body).toMatchObject({ total_sms: 4, total_reach: 3, period: { key: 'C2026', from: '2026-01-01' } })
  })

  it('tell of one pharmacy what was sent and what happened to it', async () => {
    const asked = { pharmacy_id: world.locations[0]!.uuid, year: 2026, quarter: 3 }
    const { body } = await ask('/api/enterprise-pharmacy-message-stats', asked)
    expect(body).toMatchObject({
      ...{ delivered: 2, failed: 1, held_back: 1, queued: 0, num_campaign_messages: 2 },
      failures: [{ text: 'Number not in service', count: 1 }],
    })
  })

  it('come as a file with a total first', async () => {
    const { body } = await ask('/api/enterprise-message-stats-csv', {
      year: 2026,
      month: 9,
      pharmacy_ids: [world.locations[0]!.uuid],
    })
    const lines = String(body).split('\n')
    expect(lines[0]).toBe('Rank,Pharmacy,SMS,Email,Reach,Cost,Revenue,Change %,ROI')
    expect(lines[1]).toMatch(/^,TOTAL,2,0,2,0\.60,/)
    expect(lines[2]).toMatch(/^1,Pharmacy \d+,2,0,2,0\.60,/)
  })

  it('know nothing of another company’s pharmacy', async () => {
    const asked = { pharmacy_id: '019aa000-0000-7000-8000-000000000001', year: 2026 }
    expect((await ask('/api/enterprise-pharmacy-message-stats', asked)).status).toBe(404)
  })
})
