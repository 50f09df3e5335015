import { levelOf } from '@pillar/domain/dispensing/adherence'
import { loyaltyLevel } from '@pillar/domain/dispensing/loyalty'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { opening } from '../../../../test/field/contacts.ts'
import { makeMessagingWorld } from '../../../../test/messaging.ts'
import { asOwner } from '../../../../test/people.ts'
import { startTestServer } from '../../../../test/server.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'
import { addPeople, person } from '../../../../test/world/cohort-world.ts'
import { inScope } from '../../../db/scope.ts'
import { recordConsent } from '../../consent/consent-log.queries.ts'
import { NO_SIXTY_DAY } from '../../sixty-day/list.queries.ts'
import { refreshFacts } from '../cohort.jobs.ts'
import { placeOf } from '../place.ts'
import { renewFacts } from './facts.queries.ts'

describe('places', () => {
  it('find postcodes of three countries', () => {
    expect(placeOf('AU', '3350')).toMatchObject({ latitude: expect.closeTo(-37.56, 0) })
    expect(placeOf('AU', '800')).toEqual(placeOf('AU', '0800'))
    expect(placeOf('AU', '0800')).toMatchObject({ latitude: expect.closeTo(-12.46, 0) })
    expect(placeOf('GB', 'ab10 1xg')).toEqual(placeOf('GB', 'AB10'))
    expect(placeOf('US', '13815-1234')).toMatchObject({ latitude: expect.closeTo(42.53, 0) })
    // A spreadsheet drops leading zeros, as in this ZIP code of Boston.
    for (const boston of ['2134', '02134', '2134-1234', '021341234', '21341234'])
      expect([boston, placeOf('US', boston)]).toEqual([boston, { latitude: 42.353, longitude: -71.133 }])
    for (const odd of [null, '', '99999', 'x']) expect(placeOf('AU', odd)).toBeNull()
  })
})

describe('shared numbers', () => {
  it('are looked up through the index, even in a freshly filled table', async () => {
    const server = await startTestServer()
    const world = await makeMessagingWorld(server)
    const people = Array.from({ length: 1500 }, (_, at) => person({ sms_to: `+61412${100_000 + at}` }))
    await addPeople(server, world, people)
    const asOf = { dataTo: '2026-11-01', sixtyDay: NO_SIXTY_DAY, thirtyDayMost: 45, distances: [] }
    const found = await world.inside(async (tx) => {
      await sql`set local enable_nestloop = off`.execute(tx)
      const read = sql<{ pages: number; bitmaps: string }>`
        select pg_stat_get_xact_blocks_fetched('patient_fact_pkey'::regclass)::int as pages,
               current_setting('enable_bitmapscan') as bitmaps`
      // PostgreSQL may still count what the connection's transactions of the last second read.
      const before = (await read.execute(tx)).rows[0]!
      await renewFacts(tx, { locationId: world.locations[0]!.id, ...asOf })
      const { pages, bitmaps } = (await read.execute(tx)).rows[0]!
      return { pages: pages - before.pages, bitmaps }
    })
    // The pages of writing alone: reading the whole index for each number would take five times as many.
    expect(found.pages).toBeLessThan(1500 * 5)
    expect(found.bitmaps).toBe('on')
    await server.close()
  })
})

describe('patient facts', () => {
  let server: UploadServer
  let pharmacy: TestPharmacy
  beforeAll(async () => {
    server = await startUploadServer()
    pharmacy = await server.pharmacy()
    await asOwner(server, `update location set postcode = '3350' where id = $1`, [pharmacy.id])
    const status = await pharmacy.load({ patients: PATIENTS, drugs: DRUGS, scripts: SCRIPTS })
    expect([status.etl_state, status.fault_count]).toEqual(['COMPLETED', 0])
  })
  afterAll(() => server.close())

  const facts = async () => {
    const rows = await asOwner<Fact>(
      server,
      `select p.source_id, p.sms_to, p.email_to, f.* from patient_fact f join patient p on p.location_id = f.location_id and p.id = f.patient_id
       where f.location_id = $1 order by p.source_id`,
      [pharmacy.id],
    )
    return opening(server, ['sms_to', 'email_to'], rows)
  }

  it('have a row for everybody supplied within 12 months', async () => {
    await expect.poll(async () => (await facts()).length, { timeout: 20_000 }).toBe(4)
    const rows = await facts()
    expect(rows.map((row) => row.source_id)).toEqual(['p1', 'p2', 'p3', 'p4'])
    expect(
      rows.map((row) => [row.sms_state, row.email_state, row.barred, row.molecules, row.double_dispensing]),
    ).toEqual([
      // atorvastatin for 30 days and metformin for 60: the first could move; raloxifene by an item of the list and by another is one medicine
      [2, 2, 0, 3, true],
      // metformin for 60 days only; a landline; has died
      [1, 0, 1, 1, false],
      // ran out more than 30 days ago; facility
      [0, 1, 2, 0, false],
      // moved from 30 to 60 days; a refund is not a supply, and does not bring p5 back
      [2, 0, 0, 1, false],
    ])
    expect(rows[0]).toMatchObject({
      sms_to: '+61412645678',
      email_to: 'ana@mail.example',
      last_script_on: '2026-03-30',
    })
    expect(rows[0]!.distance_km).toBeLessThan(10)
    expect(rows[3]!.distance_km).toBeNull()
    expect(rows.map((row) => [row.first_name_units, row.first_name_kind])).toEqual([
      [3, 0],
      [5, 1],
      [4, 2],
      [0, 0],
    ])
  })

  it('have the domain’s levels, and none for unmeasured patients', async () => {
    const measures = [
      ...[
        { covered: 292, observed: 365, here: 4, leaked: 1 },
        { covered: 291, observed: 365, here: 1, leaked: 4 },
      ],
      ...[
        { covered: 0, observed: 0, here: 2, leaked: 0 },
        { covered: 9, observed: 100, here: 2, leaked: 1 },
      ],
    ]
    for (const [at, { covered, observed, here, leaked }] of measures.entries())
      await asOwner(
        server,
        `insert into patient_measure (location_id, patient_id, covered_days, observed_days, here_slots, leaked_slots)
         select location_id, id, $3, $4, $5, $6 from patient where location_id = $1 and source_id = $2
         on conflict (location_id, patient_id) do update set covered_days = $3, observed_days = $4, here_slots = $5, leaked_slots = $6`,
        [pharmacy.id, `p${at + 1}`, covered, observed, here, leaked],
      )
    const scope = { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }
    await inScope(server.services.pools.app, scope, (tx) =>
      refreshFacts(tx, { id: pharmacy.id, country: 'AU', dataTo: '2026-03-30' }),
    )
    const levels = (await facts()).map((row) => [row.adherence_level, row.loyalty_level])
    expect(levels).toEqual(
      measures.map(({ covered, observed, here, leaked }) => [
        levelOf(observed === 0 ? null : covered / observed),
        loyaltyLevel({ here, leaked }),
      ]),
    )
    expect(levels).toEqual([
      [4, 4],
      [3, 1],
      [null, null],
      [1, 3],
    ])
  })

  it('always match consent from forms, replies and uploads', async () => {
    const bits = async () => (await facts()).map((row) => row.consent)
    const { pools, now } = server.services
    const scope = { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }
    const [ana] = await facts()
    const entry = { locationId: pharmacy.id, patientId: Number(ana!.patient_id), wording: null, source: 'consent page' }
    const answers = {
      health_outreach_sms_consent: false,
      health_outreach_email_consent: null,
      marketing_sms_consent: true,
      marketing_email_consent: false,
    }
    await expect.poll(bits, { timeout: 20_000 }).toEqual([0, 0, 0, 0])
    await inScope(pools.app, scope, (tx) =>
      recordConsent(tx, { ...entry, at: now(), event: { type: 'form', answers } }, now()),
    )
    expect(await bits()).toEqual([2 + 4 + 128, 0, 0, 0])
    await pharmacy.load({ patients: OPTED_OUT, scripts: `${SCRIPTS}s90,2026-03-30,p4,m,60,10.00\n` })
    expect(await bits()).toEqual([2 + 4 + 128, 2 + 8 + 256, 0, 0])
    await expect.poll(async () => (await facts())[3]!.molecules, { timeout: 20_000 }).toBe(2)
    expect(await bits()).toEqual([2 + 4 + 128, 2 + 8 + 256, 0, 0])
    await pharmacy.load({ patients: OPTED_OUT.replace('p2,1', 'p2,0') })
    expect(await bits()).toEqual([2 + 4 + 128, 2 + 8, 0, 0])
  })

  it('keep a STOP that arrives while facts are rebuilt', async () => {
    const { pools, now } = server.services
    const scope = { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }
    const [patient] = await asOwner<{ id: number }>(
      server,
      `select id from patient where location_id = $1 and source_id = 'p1'`,
      [pharmacy.id],
    )
    let stop: Promise<unknown> = Promise.resolve()
    await inScope(pools.app, scope, async (tx) => {
      await refreshFacts(tx, { id: pharmacy.id, country: 'AU', dataTo: '2026-03-30' })
      const entry = { locationId: pharmacy.id, patientId: patient!.id, at: now(), event: { type: 'stop' as const } }
      stop = inScope(pools.app, scope, (other) =>
        recordConsent(other, { ...entry, wording: 'STOP', source: 'reply' }, now()),
      )
      // Enough time to reach the row being replaced, unless something blocks it.
      await new Promise((passed) => setTimeout(passed, 300))
    })
    await stop
    expect((await facts())[0]!.consent).toBe(2 + 8 + 128)
  })

  it('follow changes, and drop inactive patients', async () => {
    await pharmacy.load({
      patients: PATIENTS.replace('0412 645 678', '0455 000 111'),
      drugs: DRUGS,
      scripts: `${SCRIPTS}d9,2026-11-15,p1,a,30,10.00\n`,
    })
    await expect.poll(async () => (await facts()).length, { timeout: 20_000 }).toBe(3)
    expect((await facts())[0]!.sms_to).toBe('+61455000111')
  })
})

interface Fact extends Record<string, unknown> {
  source_id: string
  patient_id: number
  sms_to: string | null
  sms_state: number
  email_state: number
  barred: number
  molecules: number
  double_dispensing: boolean
  distance_km: number | null
  first_name_units: number
  first_name_kind: number
  consent: number
}

const PATIENTS = `patient_id,first_name,last_name,postcode,mobile,email,facility,deceased_on
p1,Ana,Diaz,3350,0412 645 678,Ana@mail.example,0,
p2,Jolië,Ek,3350,03 5555 0100,,0,2026-03-29
p3,R[x],Low,3350,,at home,1,
p4,,Marsh,,0412 345 679,,0,
p5,Sam,Old,3350,0412 345 680,,0,
`
const OPTED_OUT = `patient_id,sms_opt_out
p2,1
`
const DRUGS = `drug_id,name,atc,pack_size,pbs_code
a,Atorvastatin 40 mg,C10AA05,30,
m,Metformin 500 mg,A10BA02,100,
r,Raloxifene 60 mg,,28,8363E
s,Raloxifene 60 mg private,,28,
`
const SCRIPTS = `script_id,dispensed_on,patient_id,drug_id,days_supply,patient_price
d1,2026-03-30,p1,a,30,10.00
d2,2026-03-01,p1,m,60,10.00
d3,2026-03-02,p2,m,60,10.00
d4,2025-11-01,p3,a,30,10.00
d5,2026-01-01,p4,a,30,10.00
d6,2026-03-01,p4,a,60,10.00
d7,2025-03-15,p5,a,365,10.00
d8,2026-03-20,p5,a,30,-10.00
d10,2026-03-20,p4,m,30,-10.00
d11,2026-03-05,p1,r,28,10.00
d12,2026-03-06,p1,s,28,10.00
`
