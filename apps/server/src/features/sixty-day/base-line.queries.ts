import { ageBandOf } from '@pillar/domain/dispensing/category'
import { inShortage } from '@pillar/domain/sixty-day/list'
import type { SixtyDayFacts, SixtyDayLines } from '@pillar/domain/sixty-day/measure'
import { type Day, formatDay } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { integersOf } from '../metrics/columns.ts'
import { categoryId } from '../metrics/subcategory.queries.ts'
import { type CurrentLists, listedDrugs } from './list.queries.ts'

/** A pharmacy's lines of the base with what measuring them needs, and the storage key of each cell. */
export interface BaseRecord {
  lines: SixtyDayLines
  facts: SixtyDayFacts
  /** By cell; the first is the total. */
  keys: readonly { category: number; subcategory: number }[]
}

/** Reads a pharmacy's counted lines of the base in one scan. Ages are as of the end of the base. */
export async function readBase(tx: Tx, locationId: number, base: Span, lists: CurrentLists): Promise<BaseRecord> {
  const people = await sql<{ id: number; sex: 'F' | 'M' | null; born: Day | null }>`
    select id, sex, date_of_birth - date '1970-01-01' as born from patient
    where location_id = ${locationId} and not fake`.execute(tx)
  const molecules = await sql<{ id: number; components: string[]; condition_id: number; molecule_id: number }>`
    select id, components, condition_id, molecule_id from molecule
    where id in (select molecule_id from drug where location_id = ${locationId}) order by id`.execute(tx)
  const drugs = await listedDrugs(tx, locationId, lists.items)
  const raw = await readRaw(tx, locationId, base)
  const moleculeAt = new Map(molecules.rows.map((one, at) => [one.id, at]))
  const cells = new CellKeys()
  const ages = await ageCells(tx)
  return {
    lines: numbered(raw, positionsOf(people.rows), positionsOf(drugs)),
    facts: {
      drugs: drugs.map((one) => ({
        ...{ molecule: moleculeAt.get(one.molecule_id) ?? 0, tranche: one.tranche, sixtyCode: one.sixtyCode },
      })),
      sexes: people.rows.map((one) => one.sex),
      short: molecules.rows.map((one) => lists.shortages !== null && inShortage(one.components, lists.shortages)),
      cells: {
        ofMolecule: molecules.rows.map((one) => [
          cells.of(categoryId('Condition'), one.condition_id),
          cells.of(categoryId('Molecule'), one.molecule_id),
        ]),
        ofPerson: people.rows.map((one) => [
          cells.of(categoryId('Age Group'), ages.get(ageBandOf(one.born, base.to)) ?? 0),
        ]),
        get count() {
          return cells.keys.length
        },
      },
    },
    keys: cells.keys,
  }
}

const positionsOf = (rows: readonly { id: number }[]) => new Map(rows.map((one, at) => [one.id, at]))

/** Numbers cells in order of arrival; 0 is the total. */
class CellKeys {
  readonly keys = [{ category: 0, subcategory: 0 }]
  readonly #numbers = new Map<string, number>()

  of(category: number, subcategory: number): number {
    const key = `${category} ${subcategory}`
    const number = this.#numbers.get(key) ?? this.keys.push({ category, subcategory }) - 1
    this.#numbers.set(key, number)
    return number
  }
}

async function ageCells(tx: Tx): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from subcategory where category_id = ${categoryId('Age Group')}`.execute(tx)
  return new Map(rows.map(({ id, name }) => [name, id]))
}

const COLUMNS = {
  patient: 's.patient_id',
  drug: 's.drug_id',
  day: `s.dispensed_on - date '1970-01-01'`,
  days: 's.days_supply',
  cents: 's.patient_price_cents::bigint + s.government_cents',
} as const
type RawLines = Record<keyof typeof COLUMNS, Float64Array>

async function readRaw(tx: Tx, locationId: number, base: Span): Promise<RawLines> {
  const lists = Object.entries(COLUMNS).map(([name, column]) => sql.raw(`array_agg(${column})::text as ${name}`))
  const { rows } = await sql<Record<keyof typeof COLUMNS, string | null> & { count: number }>`
    select count(*)::int as count, ${sql.join(lists)} from script s
    where s.location_id = ${locationId} and not s.reversed and not s.deferred
      and s.dispensed_on between ${formatDay(base.from)}::date and ${formatDay(base.to)}::date`.execute(tx)
  const [row] = rows
  const read = Object.keys(COLUMNS).map((name) => [
    name,
    integersOf(row?.[name as keyof typeof COLUMNS] ?? null, row?.count ?? 0),
  ])
  return Object.fromEntries(read) as RawLines
}

/** The lines with people and drugs by position; lines of unknown people (test patients) are left out. */
function numbered(
  raw: RawLines,
  people: ReadonlyMap<number, number>,
  drugs: ReadonlyMap<number, number>,
): SixtyDayLines {
  const kept: number[] = []
  for (let at = 0; at < raw.day.length; at++)
    if (people.has(raw.patient[at] as number) && drugs.has(raw.drug[at] as number)) kept.push(at)
  const column = (from: Float64Array) => Int32Array.from(kept, (at) => from[at] as number)
  return {
    person: Int32Array.from(kept, (at) => people.get(raw.patient[at] as number) as number),
    drug: Int32Array.from(kept, (at) => drugs.get(raw.drug[at] as number) as number),
    ...{ day: column(raw.day), days: column(raw.days), cents: column(raw.cents) },
  }
}
