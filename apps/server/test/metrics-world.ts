import { day, formatDay } from '@pillar/domain/day'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Pools, Tx } from '../src/db/database.ts'
import { inScope } from '../src/db/scope.ts'
import { createLocation } from '../src/features/location/location.queries.ts'
import type { World } from './metrics-oracle.ts'

/** Last and first day of the made-up histories. */
export const END = day('2026-11-19')
const START = day('2024-03-01')

const MEDICINES = [
  { molecule: 'perindopril', atc: 'C09AA04', chronic: true },
  { molecule: 'ramipril', atc: 'C09AA05', chronic: true },
  { molecule: 'perindopril + amlodipine', atc: 'C09BB04', chronic: true },
  { molecule: 'metformin', atc: 'A10BA02', chronic: true },
  { molecule: 'amoxicillin', atc: 'J01CA04', chronic: false },
]

/** Worlds of a few patients whose supplies bunch, skip, overlap, stop and change, as real ones do. */
export const worlds: fc.Arbitrary<World> = fc
  .record({
    people: fc.array(
      fc.record({
        died: fc.option(fc.integer({ min: START, max: END }), { freq: 8 }),
        facility: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    courses: fc.array(
      fc.record({
        person: fc.nat(3),
        medicine: fc.nat(MEDICINES.length - 1),
        start: fc.integer({ min: START, max: END - 20 }),
        gaps: fc.array(
          fc.oneof(
            fc.integer({ min: 24, max: 36 }),
            fc.integer({ min: 0, max: 10 }),
            fc.integer({ min: 50, max: 220 }),
          ),
          { minLength: 1, maxLength: 14 },
        ),
        days: fc.constantFrom(1, 28, 30, 30, 60, 180, 365),
        skip: fc.integer({ min: 1, max: 3 }),
        prescribed: fc.boolean(),
        ceased: fc.option(fc.integer({ min: START, max: END }), { freq: 6 }),
        cents: fc.integer({ min: 0, max: 20_000 }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  })
  .map(({ people, courses }) => worldOf(people, courses))

function worldOf(
  people: { died: number | null; facility: boolean }[],
  courses: {
    person: number
    medicine: number
    start: number
    gaps: number[]
    days: number
    skip: number
    prescribed: boolean
    ceased: number | null
    cents: number
  }[],
): World {
  const world: World = {
    lines: [],
    medicines: MEDICINES,
    people: people.map((one, at) => ({ id: `p${at}`, ...one })),
    prescriptions: [],
  }
  courses.forEach((course, at) => {
    const patient = `p${course.person % people.length}`
    const { molecule } = MEDICINES[course.medicine]!
    if (course.prescribed) world.prescriptions.push({ id: `r${at}`, patient, molecule, ceased: course.ceased })
    let date = course.start
    course.gaps.forEach((gap, n) => {
      if (date <= END) {
        world.lines.push({
          patient,
          molecule,
          day: date,
          days: course.days,
          cents: course.cents + n,
          prescription: course.prescribed ? `r${at}` : null,
          number: course.prescribed ? 1 + n * course.skip : null,
        })
      }
      date += gap
    })
  })
  return world
}

let made = 0

/** Puts a world into a pharmacy of its own, below the upload path: this test is about the sums alone. */
export async function store(pools: Pools, company: number, world: World): Promise<{ id: number }> {
  const { id } = await createLocation(pools.gate, {
    companyId: company,
    name: `Pharmacy ${made++}`,
    country: 'AU',
    time_zone: 'Australia/Sydney',
  })
  await inScope(pools.app, { companyId: company, locationIds: [id] }, async (tx) => {
    for (const medicine of MEDICINES) await storeMedicine(tx, id, medicine)
    for (const person of world.people) {
      await tx
        .insertInto('patient')
        .values({
          location_id: id,
          source: 't',
          source_id: person.id,
          facility: person.facility,
          deceased_on: person.died === null ? null : formatDay(person.died),
        })
        .execute()
    }
    for (const one of world.prescriptions) {
      await sql`insert into prescription (location_id, source, source_id, patient_id, drug_id, ceased_on)
        select ${id}, 't', ${one.id}, p.id, d.id, ${one.ceased === null ? null : formatDay(one.ceased)}::date from patient p, drug d
        where p.location_id = ${id} and p.source_id = ${one.patient} and d.location_id = ${id} and d.source_id = ${one.molecule}`.execute(
        tx,
      )
    }
    for (const [at, line] of world.lines.entries()) {
      await sql`insert into script (location_id, source, source_id, dispensed_on, patient_id, drug_id, prescription_id, supply_number, days_supply, days_basis, patient_price_cents)
        select ${id}, 't', ${String(at)}, ${formatDay(line.day)}::date, p.id, d.id, (select r.id from prescription r where r.location_id = ${id} and r.source_id = ${line.prescription}), ${line.number}, ${line.days}, 1, ${line.cents}
        from patient p, drug d where p.location_id = ${id} and p.source_id = ${line.patient} and d.location_id = ${id} and d.source_id = ${line.molecule}`.execute(
        tx,
      )
    }
  })
  return { id }
}

async function storeMedicine(tx: Tx, locationId: number, medicine: (typeof MEDICINES)[number]): Promise<void> {
  await sql`insert into subcategory (category_id, name) values (6, ${medicine.molecule}) on conflict do nothing`.execute(
    tx,
  )
  await sql`insert into molecule (key, name, atc, components, chronic, drug_type_id, condition_id, molecule_id)
    select ${medicine.atc}, ${medicine.molecule}, ${medicine.atc}, ${medicine.molecule.split(' + ')}::text[], ${medicine.chronic}, s.id, s.id, s.id
    from subcategory s where s.category_id = 6 and s.name = ${medicine.molecule} on conflict do nothing`.execute(tx)
  await sql`insert into drug (location_id, source, source_id, name, molecule_id, chronic)
    select ${locationId}, 't', ${medicine.molecule}, ${medicine.molecule}, m.id, ${medicine.chronic} from molecule m where m.key = ${medicine.atc}`.execute(
    tx,
  )
}
