import { type Day, formatDay } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import type { Pools, Tx } from '../../src/db/database.ts'
import { insertRows } from '../../src/db/distribute/insert-rows.ts'
import { inScope } from '../../src/db/scope.ts'
import { createLocation } from '../../src/features/location/location.queries.ts'
import type { Medicine } from './metrics-oracle/world.ts'
import type { Pharmacy } from './metrics-world.ts'

const dated = (value: Day | null | undefined) => (value == null ? null : formatDay(value))

let made = 0

/** Stores an invented pharmacy directly in the database, bypassing uploads: for tests that concern only the sums. */
export async function store(
  pools: Pools,
  company: number,
  world: Pharmacy,
  which = (_at: number) => true,
): Promise<{ id: number; uuid: string }> {
  const { id, uuid } = await createLocation(pools.system, {
    companyId: company,
    name: `Pharmacy ${made++}`,
    country: world.country,
    region: world.region,
    time_zone: world.timeZone,
  })
  await inScope(pools.app, { companyId: company, locationIds: [id] }, async (tx) => {
    await storeRecords(tx, id, world)
    await storeLines(tx, id, world, which)
  })
  return { id, uuid }
}

async function storeRecords(tx: Tx, id: number, world: Pharmacy): Promise<void> {
  for (const medicine of world.medicines) await storeMedicine(tx, id, medicine)
  const people = world.people.map((one) => ({ ...one, died: dated(one.died), born: dated(one.born) }))
  await sql`insert into patient (location_id, source, source_id, facility, deceased_on, sex, date_of_birth, fake)
    select ${id}, 't', j.id, j.facility, j.died, j.sex, j.born, coalesce(j.fake, false)
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
      as j (id text, facility boolean, died date, sex text, born date, fake boolean)`.execute(tx)
  const prescriptions = world.prescriptions.map((one) => ({
    ...{ ...one, ceased: dated(one.ceased), prescribed: dated(one.prescribed) },
  }))
  await insertRows(
    tx,
    sql`insert into prescription (location_id, source, source_id, patient_id, drug_id, ceased_on, repeats_authorised, prescribed_on)
    select ${id}, 't', j.id, p.id, d.id, j.ceased, j.repeats, j.prescribed
    from jsonb_to_recordset(${JSON.stringify(prescriptions)}::jsonb)
      as j (id text, patient text, molecule text, ceased date, repeats int, prescribed date)
    join patient p on p.location_id = ${id} and p.source_id = j.patient
    join drug d on d.location_id = ${id} and d.source_id = j.molecule`,
  )
}

/** Adds the lines of a stored pharmacy at the requested positions. */
export async function storeLines(tx: Tx, id: number, world: Pharmacy, which: (at: number) => boolean): Promise<void> {
  const lines = world.lines
    .map((one, at) => ({ ...one, id: String(at), day: formatDay(one.day) }))
    .filter((_, at) => which(at))
  await insertRows(
    tx,
    sql`insert into script (location_id, source, source_id, dispensed_on, patient_id, drug_id, prescription_id,
      supply_number, days_supply, days_basis, patient_type, cost_cents, repeats_authorised, patient_price_cents, government_cents,
      reversed, deferred, owing)
    with r as materialized (select id, source_id from prescription where location_id = ${id})
    select ${id}, 't', j.id, j.day, p.id, d.id, r.id, j.number, j.days, coalesce(j.basis, 1), coalesce(j.type, 0), j.cost, j.repeats, j.cents,
      coalesce(j.government, 0), coalesce(j.state = 'reversed', false), coalesce(j.state = 'deferred', false),
      coalesce(j.state = 'owing', false)
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
      as j (id text, day date, patient text, molecule text, prescription text, number int, days int, type int, cents int,
        government int, state text, cost int, basis int, repeats int)
    join patient p on p.location_id = ${id} and p.source_id = j.patient
    join drug d on d.location_id = ${id} and d.source_id = j.molecule
    left join r on r.source_id = j.prescription`,
  )
  await sql`update location set data_to = ${formatDay(world.dataTo)},
    data_from = (select min(dispensed_on) from script where location_id = ${id}) where id = ${id}`.execute(tx)
}

async function storeMedicine(tx: Tx, locationId: number, medicine: Medicine): Promise<void> {
  const { molecule, atc, chronic, drugType = 'Unclassified', condition = 'Unclassified' } = medicine
  const names = { 'Drug Type': drugType, Condition: condition, Molecule: molecule }
  for (const [category, name] of Object.entries(names)) {
    await sql`insert into subcategory (category_id, name) select id, ${name} from category where name = ${category}
      on conflict do nothing`.execute(tx)
  }
  const subcategory = (category: string, name: string) =>
    sql`(select s.id from subcategory s join category c on c.id = s.category_id where c.name = ${category} and s.name = ${name})`
  await sql`insert into molecule (key, name, atc, components, chronic, drug_type_id, condition_id, molecule_id)
    values (${atc ?? molecule}, ${molecule}, ${atc}, ${medicine.components ?? [molecule]}, ${chronic},
      ${subcategory('Drug Type', drugType)}, ${subcategory('Condition', condition)}, ${subcategory('Molecule', molecule)})
    on conflict do nothing`.execute(tx)
  await sql`insert into drug (location_id, source, source_id, name, molecule_id, chronic)
    select ${locationId}, 't', ${molecule}, ${molecule}, m.id, ${chronic} from molecule m
    where m.key = ${atc ?? molecule}`.execute(tx)
}
