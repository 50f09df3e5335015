import { ageBandOf, type Category, SEXES, sexOf, UNCLASSIFIED } from '@pillar/domain/dispensing/category'
import { PATIENT_TYPES } from '@pillar/domain/dispensing/patient-type'
import type { CellPlan } from '@pillar/domain/measure/rollup'
import type { Day } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { MoleculeFacts, PersonFacts } from './record.queries.ts'
import { categoryId } from './subcategory.queries.ts'

/** The cells of a pharmacy's tables by number, and the key each is stored under. */
export interface StoredCells extends CellPlan {
  readonly keys: readonly { readonly category: number; readonly subcategory: number }[]
  /** Cells of the two sexes. */
  readonly female: number
  readonly male: number
}

/** Numbers the cells that the people and molecules of a pharmacy can belong to. */
export async function planCells(
  tx: Tx,
  people: readonly PersonFacts[],
  molecules: readonly MoleculeFacts[],
  spans: readonly Span[],
): Promise<StoredCells> {
  return cellPlan(await cellNames(tx), people, molecules, spans)
}

/** Ids of the subcategories of people and patient types, by category and name. */
export async function cellNames(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const known = new Map<string, number>()
  const { rows } = await sql<{ id: number; category_id: number; name: string }>`
    select id, category_id, name from subcategory where category_id in (${sql.join(
      (['Sex', 'Age Group', 'Patient Type'] as const).map(categoryId),
    )})`.execute(tx)
  for (const { id, category_id, name } of rows) known.set(`${category_id} ${name}`, id)
  return known
}

/** The same from names already read: `known` comes from cellNames. */
export function cellPlan(
  known: ReadonlyMap<string, number>,
  people: readonly Pick<PersonFacts, 'sex' | 'born'>[],
  molecules: readonly Pick<MoleculeFacts, 'molecule_id' | 'drug_type_id' | 'condition_id'>[],
  spans: readonly Span[],
): StoredCells {
  const keys = [{ category: 0, subcategory: 0 }]
  const numbers = new Map<string, number>()
  const numberOf = (category: Category, subcategory: number) => {
    const key = `${category} ${subcategory}`
    const number = numbers.get(key) ?? keys.push({ category: categoryId(category), subcategory }) - 1
    numbers.set(key, number)
    return number
  }
  const cellOf = (category: Category, name: string) =>
    numberOf(category, known.get(`${categoryId(category)} ${name}`) ?? 0)
  const ofMolecule = molecules.map((one) => [
    numberOf('Molecule', one.molecule_id),
    numberOf('Drug Type', one.drug_type_id),
    numberOf('Condition', one.condition_id),
  ])
  // Counted separately beside the cells, whether there is such a patient or not.
  const [female, male] = SEXES.map((name) => cellOf('Sex', name)) as [number, number]
  const sexes = people.map((one) => cellOf('Sex', sexOf(one.sex)))
  const ages = people.map((one) => agesOf(one, spans, cellOf))
  const ofType = [UNCLASSIFIED, ...PATIENT_TYPES].map((name) => cellOf('Patient Type', name))
  return {
    ...{ keys, female, male, ofMolecule, ofType, sexes, ages },
    count: keys.length,
  }
}

/** Cell of a person's age group at the end of each span. Few people change group within a record. */
function agesOf(
  { born }: Pick<PersonFacts, 'born'>,
  spans: readonly Span[],
  cellOf: (category: Category, name: string) => number,
): number[] {
  const bandAt = (on: Day) => cellOf('Age Group', ageBandOf(born, on))
  const ends = spans.map((span) => span.to)
  const first = bandAt(Math.min(...ends))
  return first === bandAt(Math.max(...ends)) ? ends.fill(first) : ends.map(bandAt)
}
