import { pharmacySets } from '@pillar/domain/person/same-person'
import { type Day, day as dayOf } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withoutNestedLoops, withScope } from '../../db/scope.ts'
import { cellNames } from '../metrics/cells.queries.ts'
import { readRecord } from '../metrics/record.queries.ts'
import { offeredPeriods } from '../metrics/spans.ts'
import { CELL_SUMS, type Correction, correctionOf, type SharedRecords, type WhenKey } from './counted-once.ts'
import { peopleOf } from './person-link.queries.ts'

/** A person's records, in order of pharmacies. */
type Person = Awaited<ReturnType<typeof peopleOf>>[number]

/**
 * Recounts the corrections for people shared by pharmacies: for every set with this pharmacy in it the periods that reach `since`, and for
 * the sets of people who were joined or parted all periods. Requires the company's pharmacies in the transaction's scope, and lockPeople.
 * @param since null for every period
 */
export async function recountShared(
  tx: Tx,
  locationId: number,
  since: Day | null,
  changed: readonly (readonly number[])[],
): Promise<void> {
  const anew = new Map(changed.flatMap(pharmacySets).map((set) => [set.join(), set]))
  const people = await peopleOf(tx, [locationId, ...new Set([...anew.values()].flat())])
  const own = people
    .flatMap((one) => pharmacySets(one.records.map(({ location }) => location)))
    .filter((set) => set.includes(locationId))
  const sets = new Map([...own.map((set) => [set.join(), set] as const), ...anew])
  if (sets.size === 0) return
  const records = new Map<number, SharedRecords | null>()
  const names = await cellNames(tx)
  for (const [key, set] of sets) {
    const members = people.filter((one) => set.every((id) => one.records.some(({ location }) => location === id)))
    if (members.length === 0) {
      await replaceSet(tx, set, [], null)
      continue
    }
    for (const id of set) if (!records.has(id)) records.set(id, await sharedRecords(tx, id, patientsAt(people, id)))
    const parts = set.map((id) => records.get(id))
    if (!parts.every((one) => one != null)) {
      await replaceSet(tx, set, [], null)
      continue
    }
    const from = anew.has(key) ? null : since
    const wanted = await periodsOf(tx, set, parts, from)
    const same = set.map((id) => patientsAt(members, id))
    await replaceSet(tx, set, await correctionOf(parts, same, names, wanted), from === null ? null : wanted)
  }
}

/** Deletes the corrections of the sets with this pharmacy in them. Requires the company's pharmacies in the transaction's scope. */
export async function forgetSets(tx: Tx, locationId: number): Promise<void> {
  for (const table of ['person_figure', 'person_cell'] as const)
    await sql`
      delete from ${sql.table(table)} where location_id = any ((select scope_location_ids())::bigint[])
        and (location_id = ${locationId} or ${locationId} = any(others))`.execute(tx)
}

/** Patients of these people at a pharmacy, in the order of the people. */
const patientsAt = (people: readonly Person[], id: number): number[] =>
  people.flatMap(({ records }) => records.filter(({ location }) => location === id).map(({ patient }) => patient))

/** Reads a pharmacy's records of these patients; null without any data. */
async function sharedRecords(tx: Tx, id: number, patients: readonly number[]): Promise<SharedRecords | null> {
  return withScope(tx, [id], async () => {
    const { rows } = await sql<{ country: Country; data_from: string | null; data_to: string | null }>`
      select country, data_from::text, data_to::text from location where id = ${id}`.execute(tx)
    const [place] = rows
    if (!place?.data_from || !place.data_to) return null
    const loaded = await readRecord(tx, id, { patients })
    const prescribed = await prescriptionNames(tx, id, patients)
    return {
      ...loaded,
      ...{ location: id, country: place.country, data: { from: dayOf(place.data_from), to: dayOf(place.data_to) } },
      prescribed: (number: number) => prescribed.get(loaded.prescriptions.idOf(number) ?? 0) ?? null,
    }
  })
}

/** Molecule, day and repeats of prescriptions for which all three are known, by id. */
async function prescriptionNames(tx: Tx, id: number, patients: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await withoutNestedLoops(tx, () =>
    sql<{ id: number; name: string }>`
    with d as materialized (select id, molecule_id from drug where location_id = ${id})
    select r.id, concat_ws(' ', d.molecule_id, r.prescribed_on, r.repeats_authorised) as name
    from prescription r join d on d.id = r.drug_id
    where r.location_id = ${id} and r.patient_id = any(${[...patients]}::bigint[])
      and r.prescribed_on is not null and r.repeats_authorised is not null`.execute(tx),
  )
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** The periods of a set that reach `since`, and the dates they are compared with in which all of its pharmacies take part. */
async function periodsOf(
  tx: Tx,
  set: readonly number[],
  parts: readonly SharedRecords[],
  since: Day | null,
): Promise<WhenKey[]> {
  const data = {
    from: Math.min(...parts.map((one) => one.data.from)),
    to: Math.max(...parts.map((one) => one.data.to)),
  }
  const { rows } = await sql<{ period: number }>`
    select period from metric_total where location_id = any(${[...set]}::bigint[]) and prior_scripts is not null
    group by period having count(*) = ${set.length}`.execute(tx)
  const compared = new Set(rows.map(({ period }) => period))
  return offeredPeriods((parts[0] as SharedRecords).country, data)
    .filter(({ to }) => since === null || to >= since)
    .flatMap(({ code }) => [{ code, earlier: false }, ...(compared.has(code) ? [{ code, earlier: true }] : [])])
}

/** Replaces what is stored for a set: these periods, or all if null. Leaves out rows that are all zeros. */
async function replaceSet(
  tx: Tx,
  [first, ...others]: readonly number[],
  made: readonly Correction[],
  periods: readonly WhenKey[] | null,
): Promise<void> {
  const rest = sql`${others}::bigint[]`
  const codes = periods?.map(({ code }) => code)
  for (const table of ['person_figure', 'person_cell'] as const)
    await sql`
      delete from ${sql.table(table)} where location_id = ${first} and others = ${rest}
        ${codes ? sql`and period = any(${codes}::int[])` : sql``}`.execute(tx)
  const figures = made
    .filter((one) => Object.values(one.figures).some((value) => value !== 0))
    .map((one) => ({ period: one.code, earlier: one.earlier, ...one.figures }))
  if (figures.length > 0) {
    const columns = sql.join(Object.keys(figures[0] ?? {}).map((name) => sql.ref(name)))
    await sql`
      insert into person_figure (location_id, others, ${columns})
      select ${first}, ${rest}, ${columns} from jsonb_populate_recordset(null::person_figure, ${JSON.stringify(figures)}::jsonb)`.execute(
      tx,
    )
  }
  await writeCells(tx, first as number, others, made)
}

async function writeCells(
  tx: Tx,
  first: number,
  others: readonly number[],
  made: readonly Correction[],
): Promise<void> {
  const columns: number[][] = Array.from({ length: 4 + CELL_SUMS.length }, () => [])
  for (const { code, earlier, cells } of made)
    for (const [key, sums] of cells) {
      if (sums.every((value) => value === 0)) continue
      const [category, subcategory] = key.split(' ').map(Number) as [number, number]
      for (const [at, value] of [code, Number(earlier), category, subcategory, ...sums].entries())
        columns[at]?.push(value)
    }
  const lists = sql.join(columns.map((list) => sql`${`{${list.join(',')}}`}::bigint[]`))
  await sql`
    insert into person_cell (location_id, others, period, earlier, category_id, subcategory_id, patients, measured_pairs,
      measured_scripts, adherent_scripts, observed_days, covered_days, opportunity_cents, leaked_slots)
    select ${first}, ${[...others]}::bigint[], u.period, u.earlier = 1, u.category, u.subcategory, ${sql.join(CELL_SUMS.map((name) => sql.ref(`u.${name}`)))}
    from unnest(${lists}) as u(period, earlier, category, subcategory, ${sql.join(CELL_SUMS.map((name) => sql.ref(name)))})`.execute(
    tx,
  )
}
