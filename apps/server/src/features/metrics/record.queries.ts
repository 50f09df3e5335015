import { type LineColumns, lineColumns, picked } from '@pillar/domain/measure/line'
import { pairKey, type Surroundings } from '@pillar/domain/measure/person'
import { arrange, type PharmacyRecord } from '@pillar/domain/measure/record'
import { replacements } from '@pillar/domain/measure/replacement'
import { THIRTY_DAY_MOST } from '@pillar/domain/sixty-day/choices'
import type { Day } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { ListedDrug } from '../sixty-day/list.queries.ts'
import { linesWithin, type ReadAgain, readByCopy, readCopyWithin, readLines, storeCopy } from './line.queries.ts'
import type { RawColumn, RawLines } from './line-pack.ts'
import { Numbering } from './numbering.ts'

export interface PersonFacts {
  id: number
  /** Id in the pharmacy's own system. */
  ref: string
  sex: 'F' | 'M' | null
  born: Day | null
  /** Lives in a care facility. */
  facility: boolean
}

export interface MoleculeFacts {
  id: number
  name: string
  atc: string | null
  components: readonly string[]
  drug_type_id: number
  condition_id: number
  /** Its subcategory of the category Molecule. */
  molecule_id: number
}

/** A pharmacy's record with the meaning of its numbers: people and molecules by their position. */
export interface LoadedRecord {
  record: PharmacyRecord
  /** Prescriptions by their number in the lines. */
  prescriptions: Numbering
  /** When prescriptions were ceased, by their ids. */
  ceasedOn: ReadonlyMap<number, Day>
  around: Surroundings
  people: readonly PersonFacts[]
  molecules: readonly MoleculeFacts[]
}

type PersonRow = PersonFacts & { died: Day | null }
interface DrugRow {
  id: number
  source: string
  molecule_id: number
  chronic: boolean
}

/** What to read of a record. */
interface Wanted {
  /** A further condition on the scripts `s`, such as whose they are; none by default. */
  only?: RawBuilder<unknown>
  /** Ids of the patients to read, with only their scripts; all by default. */
  patients?: readonly number[]
  /** Only patients with a script in this span, with all their scripts: from the copy if there is one. */
  within?: Span
  /** Drugs of the list of 60-day items, for all figures; without it, reads only what adherence and loyalty need. */
  listed?: ReadonlyMap<number, ListedDrug>
  /**
   * For all figures of all patients: what changed since the last reading, so that all other lines come from the copy; null reads
   * everything and makes the copy again.
   */
  changed?: Omit<ReadAgain, 'checked'> | null
}

/**
 * Reads a pharmacy's counted dispense lines and what measuring them needs, in one scan of its scripts.
 * @throws UntrueCopy if unchanged lines differ from the copy
 */
export async function readRecord(
  tx: Tx,
  locationId: number,
  { only = sql``, patients, within, listed, changed }: Wanted = {},
): Promise<LoadedRecord> {
  const place = await sql<{ from: Day | null; to: Day | null }>`
    select data_from - date '1970-01-01' as from, data_to - date '1970-01-01' as to from location where id = ${locationId}`.execute(
    tx,
  )
  const people = await sql<PersonRow>`
    select id, source_id as ref, sex, date_of_birth - date '1970-01-01' as born, deceased_on - date '1970-01-01' as died, facility
    from patient where location_id = ${locationId} and not fake ${among(patients, sql`id`)} order by id`.execute(tx)
  const drugs =
    await sql<DrugRow>`select id, source, molecule_id, chronic from drug where location_id = ${locationId}`.execute(tx)
  const molecules = await sql<MoleculeFacts>`
    select id, name, atc, components, drug_type_id, condition_id, molecule_id from molecule
    where id in (select molecule_id from drug where location_id = ${locationId}) order by id`.execute(tx)
  const own = sql`${only} ${among(patients, sql`s.patient_id`)}`
  const moleculeIds = new Map(drugs.rows.map((one) => [one.id, one.molecule_id]))
  const moleculeOf = (drug: number) => moleculeIds.get(drug) ?? 0
  const copied = changed
    ? await readByCopy(
        tx,
        locationId,
        { ...changed, checked: toCheck(people.rows, place.rows[0]?.to ?? 0) },
        moleculeOf,
      )
    : within
      ? await readCopyWithin(tx, locationId, within)
      : null
  const some = within && !copied ? await linesWithin(tx, locationId, within) : sql``
  const raw = copied ?? (await readLines(tx, locationId, sql`${own} ${some}`, listed !== undefined))
  if (changed !== undefined && !copied) await storeCopy(tx, locationId, raw, moleculeOf)
  const numberOf = new Map(people.rows.map((one, at) => [one.id, at]))
  const moleculeAt = new Map(molecules.rows.map((one, at) => [one.id, at]))
  const prescriptions = new Numbering()
  const systems = await firstDays(tx, locationId)
  const facts = new Map<number, DrugFacts>()
  for (const { id, source, molecule_id, chronic } of drugs.rows)
    facts.set(id, {
      ...{ molecule: moleculeAt.get(molecule_id) as number, chronic, listed: listed?.get(id) },
      systemFrom: systems.get(source) ?? 0,
    })
  const lines = numbered(raw, { people: people.rows, numberOf, drugs: facts, prescriptions })
  const whose = among(patients, sql`patient_id`)
  const { ceasedOn, ceased } = await readCessations(tx, locationId, whose, numberOf, facts)
  return {
    record: arrange(lines, people.rows.length, molecules.rows.length, place.rows[0]?.from ?? 0),
    around: { died: people.rows.map((one) => one.died), ceased, replacedBy: replacements(molecules.rows) },
    people: people.rows,
    molecules: molecules.rows,
    prescriptions,
    ceasedOn,
  }
}

/** Every day the copy is compared with the scripts of one patient in this many, different ones each day. */
const CHECK_ONE_IN = 32

/** The first day of data of each dispensing system of a pharmacy, by its source; empty if it has had only one. */
export async function firstDays(tx: Tx, locationId: number): Promise<ReadonlyMap<string, Day>> {
  // By the index: most pharmacies have one.
  const several = await sql`
    select from (select min(source) as first, max(source) as last from script where location_id = ${locationId}) s where first <> last`.execute(
    tx,
  )
  if (several.rows.length === 0) return new Map()
  const { rows } = await sql<{ source: string; day: Day }>`
    select source, min(dispensed_on) - date '1970-01-01' as day from script
    where location_id = ${locationId} and not reversed and not deferred group by source order by source`.execute(tx)
  return new Map(rows.map(({ source, day }) => [source, day]))
}

/** Patients whose copied lines are checked today. */
const toCheck = (people: readonly PersonRow[], today: Day): number[] =>
  people.map(({ id }) => id).filter((id) => (id + today) % CHECK_ONE_IN === 0)

const among = (patients: readonly number[] | undefined, column: RawBuilder<unknown>) =>
  patients ? sql`and ${column} = any(${[...patients]}::bigint[])` : sql``

/** What counting needs of a drug: its molecule, by position among the pharmacy's. */
interface DrugFacts {
  readonly molecule: number
  readonly chronic: boolean
  readonly listed: ListedDrug | undefined
  /** First day of data of the system that it is a drug of; 0 at a pharmacy that has had only one. */
  readonly systemFrom: Day
}

/** The positions of the ids of a pharmacy's rows. Prescriptions are numbered in order of arrival; -1 is none. */
interface Places {
  readonly people: readonly PersonRow[]
  readonly numberOf: ReadonlyMap<number, number>
  readonly drugs: ReadonlyMap<number, DrugFacts>
  readonly prescriptions: Numbering
}

/** Columns of lines that are not stored directly. */
const LOOKED_UP: ReadonlySet<keyof LineColumns> = new Set([
  ...['person', 'molecule', 'continuous', 'prescription', 'sixty', 'systemFrom'],
] as (keyof LineColumns)[])

const whole = (column: ArrayLike<number>): Int32Array =>
  column instanceof Int32Array ? column : new Int32Array(column)

/** The lines with people, molecules and prescriptions by position; lines of unknown people (test patients) are left out. */
function numbered(raw: RawLines, { people, numberOf, drugs, prescriptions }: Places): LineColumns {
  const all = raw.day.length
  const lines = lineColumns((name) => (LOOKED_UP.has(name) ? new Int32Array(all) : whole(raw[name as RawColumn])))
  // Consecutive lines often have the same patient and the same drug.
  let [patient, person]: [number, number | undefined] = [Number.NaN, undefined]
  let [id, drug]: [number, DrugFacts | undefined] = [Number.NaN, undefined]
  const counted = new Uint32Array(all)
  let count = 0
  for (let at = 0; at < all; at++) {
    if (raw.patient[at] !== patient) {
      patient = raw.patient[at] as number
      person = numberOf.get(patient)
    }
    if (raw.drug[at] !== id) {
      id = raw.drug[at] as number
      drug = drugs.get(id)
    }
    if (person === undefined || drug === undefined) continue
    counted[count++] = at
    const prescription = raw.prescription[at] as number
    lines.person[at] = person
    lines.molecule[at] = drug.molecule
    lines.continuous[at] = drug.chronic && !(people[person] as PersonRow).facility ? 1 : 0
    lines.prescription[at] = prescription === 0 ? -1 : prescriptions.numberOf(prescription)
    lines.systemFrom[at] = drug.systemFrom
    lines.sixty[at] = sixtyDayOf(drug.listed, raw.days[at] as number)
  }
  return count === all ? lines : lineColumns((name) => picked(lines[name], counted.subarray(0, count)))
}

/** 0 for a drug that may not be dispensed for 60 days, 2 for a line that was, 1 for the rest. */
function sixtyDayOf(drug: ListedDrug | undefined, days: number): number {
  if (!drug || drug.tranche === 0) return 0
  return drug.sixtyCode || days > THIRTY_DAY_MOST ? 2 : 1
}

/**
 * The days on which prescriptions were ceased, by their ids and by person and molecule. Products are looked up here: freshly merged rows have
 * no statistics for planning a join.
 */
async function readCessations(
  tx: Tx,
  locationId: number,
  whose: RawBuilder<unknown>,
  numberOf: ReadonlyMap<number, number>,
  drugs: ReadonlyMap<number, DrugFacts>,
): Promise<{ ceasedOn: Map<number, Day>; ceased: Map<number, Day[]> }> {
  const { rows } = await sql<{ id: number; patient_id: number; drug_id: number; day: Day }>`
    select id, patient_id, drug_id, ceased_on - date '1970-01-01' as day from prescription
    where location_id = ${locationId} and ceased_on is not null ${whose}`.execute(tx)
  const ceased = new Map<number, Day[]>()
  for (const { patient_id, drug_id, day } of rows) {
    const [person, molecule] = [numberOf.get(patient_id), drugs.get(drug_id)?.molecule]
    if (person === undefined || molecule === undefined) continue
    const key = pairKey(person, molecule)
    const known = ceased.get(key)
    if (known) known.push(day)
    else ceased.set(key, [day])
  }
  return { ceasedOn: new Map(rows.map(({ id, day }) => [id, day])), ceased }
}
