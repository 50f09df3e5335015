import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { DEEP } from '../../../../test/deep.ts'
import { asOwner } from '../../../../test/people.ts'
import { type Files, startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'
import { setClock } from '../../../../test/world/sequence-world.ts'
import type { Tx } from '../../../db/database.ts'
import { inScope } from '../../../db/scope.ts'
import { afterUpload, followUp } from '../../upload/after-upload.jobs.ts'
import { refreshFacts } from '../cohort.jobs.ts'

const START = dayOf('2024-10-10')
const iso = (on: number) => formatDay(START + on)

let server: UploadServer
let pharmacy: TestPharmacy
beforeAll(async () => {
  server = await startUploadServer({ without: [afterUpload.name] })
  setClock(server, `${iso(1100)}T02:00:00Z`)
})
afterAll(() => server.close())

class TakenBack extends Error {}

const STORED = sql`
  select to_jsonb(f) - 'true_until' || jsonb_build_object(
    'molecule_ids', array(select unnest(f.molecule_ids) order by 1), 'drug_type_ids', array(select unnest(f.drug_type_ids) order by 1)) as row
  from patient_fact f order by patient_id`

/** A pharmacy's facts as stored, and as they are when everybody's are built again. */
async function both(of = pharmacy): Promise<{ stored: unknown[]; built: unknown[] }> {
  const found = { stored: [] as unknown[], built: [] as unknown[] }
  const rows = async (tx: Tx) => (await sql<{ row: unknown }>`${STORED}`.execute(tx)).rows
  const doing = inScope(server.services.pools.app, { companyId: of.companyId, locationIds: [of.id] }, async (tx) => {
    found.stored = await rows(tx)
    await sql`delete from fact_base`.execute(tx)
    const at = await tx.selectFrom('location').select('data_to').where('id', '=', of.id).executeTakeFirstOrThrow()
    await refreshFacts(tx, { id: of.id, country: 'AU', dataTo: at.data_to! })
    found.built = await rows(tx)
    throw new TakenBack()
  })
  await expect(doing).rejects.toBeInstanceOf(TakenBack)
  return found
}

/** Loads an upload and does the work after it. @returns the ids of patients whose supplies were read for it */
async function night(files: Files, to: number, of = pharmacy): Promise<number[]> {
  expect(await of.load(files, { to: iso(to) })).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
  return renew(of)
}

/** Marks every row, does the work after an upload, and finds which rows were built again. */
async function renew(of = pharmacy): Promise<number[]> {
  await asOwner(server, `update patient_fact set drug_type_ids = drug_type_ids || -1 where location_id = $1`, [of.id])
  await followUp(server.services, of.companyId, of.id, ['contacts', 'facts'])
  const built = await asOwner<{ id: string }>(
    server,
    `with kept as (
       update patient_fact set drug_type_ids = array_remove(drug_type_ids, -1) where location_id = $1 and -1 = any(drug_type_ids) returning patient_id
     )
     select p.source_id as id from patient_fact f join patient p on p.location_id = f.location_id and p.id = f.patient_id
     where f.location_id = $1 and f.patient_id not in (select patient_id from kept) order by 1`,
    [of.id],
  )
  return built.map(({ id }) => Number(id))
}

const PEOPLE = [1, 2, 3, 4, 5, 6]
const HEAD = 'script_id,dispensed_on,patient_id,drug_id,prescription_id,days_supply,patient_price\n'
const PATIENTS = 'patient_id,first_name,last_name,date_of_birth,mobile\n'
const FIRST: Files = {
  patients: `${PATIENTS}${PEOPLE.map((one) => `${one},Ana,Moran,1950-05-0${one},0412 345 67${one}`).join('\n')}\n`,
  drugs: 'drug_id,name,atc,pbs_code,pack_size\nA,Rosuvastatin,C10AA07,2628H,30\nB,Metformin,A10BA02,,60\n',
  prescriptions: `prescription_id,patient_id,drug_id,repeats_authorised,ceased_on\n${PEOPLE.map((one) => `${one},${one},A,5,`).join('\n')}\n`,
  scripts: `${HEAD}${PEOPLE.map((one) => `${one},${iso(0)},${one},A,${one},30,7.70`).join('\n')}\n`,
}

beforeEach(async () => {
  pharmacy = await server.pharmacy()
  expect(await night(FIRST, 0)).toEqual(PEOPLE)
})

it('a night builds the facts of its own patients again, and of those for whom a day changes them', async () => {
  expect(await night({ scripts: `${HEAD}a,${iso(1)},2,B,,30,7.70\n` }, 1)).toEqual([2])
  // Run out on day 29, and taken until 30 days later.
  expect(await night({ scripts: `${HEAD}b,${iso(59)},3,B,,30,7.70\n` }, 59)).toEqual([3])
  expect(await night({ scripts: `${HEAD}c,${iso(60)},3,B,,30,7.70\n` }, 60)).toEqual([1, 2, 3, 4, 5, 6])
  expect(await night({ scripts: `${HEAD}d,${iso(61)},3,B,,30,7.70\n` }, 61)).toEqual([2, 3])
  expect(await night({ scripts: `${HEAD}e,${iso(62)},3,B,,30,7.70\n` }, 62)).toEqual([3])
  // The year of the first supplies ends; only the second and third patient had others.
  expect(await night({ scripts: `${HEAD}f,${iso(364)},3,B,,30,7.70\n` }, 364)).toEqual([3])
  expect(await night({ scripts: `${HEAD}g,${iso(365)},3,B,,30,7.70\n` }, 365)).toEqual([2, 3])
  const { stored, built } = await both()
  expect(stored).toEqual(built)
  expect(stored).toHaveLength(2)
})

it('what a night leaves as it is still follows the patient, the measures and the pharmacy', async () => {
  expect(await night({ patients: `${PATIENTS}4,Zoë,Moran,1950-05-04,0412 999 999\n` }, 0)).toEqual([])
  await asOwner(server, `update location set postcode = '3350' where id = $1`, [pharmacy.id])
  await asOwner(server, `update patient set postcode = '3000' where location_id = $1 and source_id = '5'`, [
    pharmacy.id,
  ])
  await asOwner(server, 'update patient_measure set covered_days = 20, observed_days = 30 where location_id = $1', [
    pharmacy.id,
  ])
  expect(await renew()).toEqual([])
  const { stored, built } = await both()
  expect(stored).toEqual(built)
  expect(stored[3]).toMatchObject({ row: { first_name_kind: 1, adherence_level: 3 } })
  expect(stored[4]).toMatchObject({ row: { distance_km: expect.any(Number) } })
})

it.each([
  [
    'a prescription that ends on a day to come',
    { prescriptions: `prescription_id,patient_id,drug_id,ceased_on\n2,2,A,${iso(20)}\n` },
    { to: 20, fact: 'double_dispensing', before: true, after: false },
  ],
  [
    'a supply that others were added to and that is no longer read after two years',
    {
      scripts: `${HEAD}${[0, 1, 400].map((on) => `a${on},${iso(on)},2,${on === 400 ? 'B' : 'C'},,${on === 400 ? 30 : 365},7.70`).join('\n')}\n`,
    },
    { to: 730, fact: 'molecules', before: 1, after: 0 },
  ],
  [
    'the only product of a medicine that is in the list, no longer read after two years',
    { scripts: `${HEAD}${[0, 720].map((on) => `b${on},${iso(on)},2,${on === 0 ? 'D' : 'E'},,30,7.70`).join('\n')}\n` },
    { to: 730, fact: 'double_dispensing', before: true, after: false },
  ],
])('%s changes facts on its day without an upload about the patient', async (_, files, { to, fact, before, after }) => {
  const drugs = `${FIRST.drugs}C,Zinc sulfate,A12CB01,,30\nD,Folic acid,B03BB01,2628H,30\nE,Folic acid,B03BB01,,30\n`
  const of = async () => {
    const { stored, built } = await both()
    expect(stored).toEqual(built)
    return stored.map((one) => (one as { row: Record<string, unknown> }).row[fact])
  }
  await night({ drugs }, 0)
  await night(files, to - 10)
  await night({ scripts: `${HEAD}x,${iso(to - 1)},6,B,,1,7.70\n` }, to - 1)
  expect(await of()).toContain(before)
  await night({ scripts: `${HEAD}y,${iso(to)},6,B,,1,7.70\n` }, to)
  expect(await of()).toContain(after)
})

it('a ceased prescription that was somebody else’s changes the facts of both', async () => {
  const ceased = (whose: number) => ({
    prescriptions: `prescription_id,patient_id,drug_id,ceased_on\nr,${whose},A,${iso(1)}\n`,
  })
  expect(await night(ceased(2), 1)).toEqual([2])
  expect(await night(ceased(3), 1)).toEqual([2, 3])
  const { stored, built } = await both()
  expect(stored).toEqual(built)
})

it.each([
  ['an upload of an older server', 'update location set last_upload_at = now() where id = $1'],
  ['other rules', 'update fact_base set rules = 0 where location_id = $1'],
  [
    'another medicine of a stored drug',
    "update drug d set molecule_id = b.molecule_id from drug b where d.location_id = $1 and d.source_id = 'A' and b.location_id = $1 and b.source_id = 'B'",
  ],
  ['data that end earlier', 'update fact_base set data_to = data_to + 1 where location_id = $1'],
  ['a pharmacy that joins the company', null],
])('%s builds everybody’s again', async (_, change) => {
  expect(await renew()).toEqual([])
  if (change) await asOwner(server, change, [pharmacy.id])
  else await server.pharmacy()
  expect(await renew()).toEqual(PEOPLE)
  expect(await renew()).toEqual([])
})

it('an upload that ends before its predecessor’s facts were built is not forgotten', async () => {
  for (const patient of [5, 6])
    expect(
      await pharmacy.load({ scripts: `${HEAD}x${patient},${iso(1)},${patient},B,,30,7.70\n` }, { to: iso(1) }),
    ).toMatchObject({ etl_state: 'COMPLETED' })
  expect(await renew()).toEqual([5, 6])
})

it('an upload that is completed while facts wait for it is not taken for built', async () => {
  await pharmacy.load({ scripts: `${HEAD}x,${iso(1)},2,B,,30,7.70\n` }, { to: iso(1) })
  await inScope(server.services.pools.app, { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }, (tx) =>
    refreshFacts(tx, { id: pharmacy.id, country: 'AU', dataTo: iso(0) }),
  )
  expect(await renew()).toEqual([2])
  const { stored, built } = await both()
  expect(stored).toEqual(built)
})

it('an upload of an older server is not forgotten with the next one', async () => {
  await asOwner(server, `update location set last_upload_at = last_upload_at + interval '1 second' where id = $1`, [
    pharmacy.id,
  ])
  expect(await night({ scripts: `${HEAD}z,${iso(1)},2,B,,30,7.70\n` }, 1)).toEqual(PEOPLE)
})

it('a number is marked as shared while two people of the company have it', async () => {
  const shared = async () =>
    (
      await asOwner<{ id: string }>(
        server,
        `select p.source_id as id from patient_fact f join patient p on p.location_id = f.location_id and p.id = f.patient_id
         where f.location_id = $1 and f.sms_shared order by 1`,
        [pharmacy.id],
      )
    ).map(({ id }) => Number(id))
  expect(await shared()).toEqual(PEOPLE)
  const own = PEOPLE.map((one) => `${one},Ana,Moran,1950-05-0${one},0413 345 67${one}`).join('\n')
  await night({ patients: `${PATIENTS}${own}\n` }, 0)
  expect(await shared()).toEqual([])
  await night({ patients: `${PATIENTS}4,Ana,Moran,1950-05-04,0413 345 671\n` }, 0)
  expect(await shared()).toEqual([1, 4])
  await night({ patients: `${PATIENTS}1,Ana,Moran,1950-05-01,0413 345 672\n` }, 0)
  expect(await shared()).toEqual([1, 2])
  const { stored, built } = await both()
  expect(stored).toEqual(built)
})

const supply = fc.record({
  patient: fc.constantFrom(...PEOPLE),
  drug: fc.constantFrom('A', 'B'),
  back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(800)),
  days: fc.constantFrom(1, 28, 30, 60, 365),
  named: fc.boolean(),
})
const nights = fc.array(
  fc.record({
    days: fc.oneof(fc.constantFrom(0, 1, 2), fc.nat(120)),
    supplies: fc.array(supply, { maxLength: 4 }),
    ceased: fc.option(
      fc.record({ patient: fc.constantFrom(...PEOPLE), on: fc.option(fc.integer({ min: -40, max: 40 })) }),
    ),
    again: fc.option(fc.nat(20)),
  }),
  { minLength: 4, maxLength: 8 },
)

it('after any nights, facts are as if everybody’s were built again', async () => {
  let kept = 0
  await fc.assert(
    fc.asyncProperty(nights, async (all) => {
      pharmacy = await server.pharmacy()
      await night(FIRST, 0)
      let today = 0
      let sent = 0
      for (const { days, supplies, ceased, again } of all) {
        today += days
        // A number that was sent before corrects that supply.
        const number = (at: number) => (at === 0 && again !== null ? Math.min(again, sent) : ++sent)
        const lines = supplies.map(
          ({ patient, drug, back, days: given, named }, at) =>
            `n${number(at)},${iso(Math.max(today - back, 0))},${patient},${drug},${named && drug === 'A' ? patient : ''},${given},7.70`,
        )
        const files: Files = { scripts: `${HEAD}${[...lines, `t${today},${iso(today)},6,B,,1,7.70`].join('\n')}\n` }
        if (ceased)
          files.prescriptions = `prescription_id,patient_id,drug_id,ceased_on\n${ceased.patient},${ceased.patient},A,${ceased.on === null ? '' : iso(Math.max(today + ceased.on, 0))}\n`
        if ((await night(files, today)).length < PEOPLE.length) kept++
        const { stored, built } = await both()
        expect(stored).toEqual(built)
      }
    }),
    { numRuns: DEEP ? 40 : 3 },
  )
  expect(kept).toBeGreaterThan(5)
})
