import { type Holding, IMPLIED, type Measure, SHOWN } from '@pillar/domain/average/average'
import { type Atom, type Shown, shownParts } from '@pillar/domain/average/average-bundle'
import type { Category } from '@pillar/domain/dispensing/category'
import { categoryId } from '../metrics/subcategory.queries.ts'
import type { CompanyFigures, Moved, PublishedCell } from './average.queries.ts'

/** Figures shown or hidden together, and which values of each company must be safe for that. */
const FAMILIES = {
  volume: [measure('script_count', 'dispensing'), measure('revenue_cents', 'earning')],
  adherence: [measure('measured_scripts', 'measuring')],
  // Loyalty and scripts together reveal how many slots leaked.
  loyalty: [measure('here_slots', 'dispensing'), measure('leaked_slots', 'leaking')],
} as const
export type Family = keyof typeof FAMILIES
export const FAMILY_NAMES = Object.keys(FAMILIES) as Family[]

const SAFETIES = { volume: [SHOWN, SHOWN], adherence: [SHOWN], loyalty: [SHOWN, IMPLIED] } as const

const COLUMNS = {
  volume: ['script_count', 'revenue_cents'],
  adherence: ['measured_scripts', 'adherent_scripts'],
  loyalty: ['here_slots', 'leaked_slots'],
} as const satisfies Record<Family, readonly (keyof CompanyFigures)[]>

type Reader = (row: CompanyFigures) => Holding

function measure(amount: keyof CompanyFigures, pharmacies: keyof CompanyFigures): Reader {
  return (row) => ({ company: row.company_id, amount: row[amount], pharmacies: row[pharmacies] })
}

/** Categories whose subcategories are counted individually; drug types and conditions are made of molecules. */
const FINEST: readonly Category[] = ['Molecule', 'Age Group', 'Sex', 'Patient Type']
const FINEST_IDS = FINEST.map(categoryId)
/** How far a sum of molecules may differ from the drug type or condition itself when one name covers several molecules. */
const CLOSE = 0.005

/** A group of pharmacies as read. */
export interface Group {
  figures: readonly CompanyFigures[]
  /** The number of pharmacies of each company. */
  pharmacies: ReadonlyMap<number, number>
  parents: ReadonlyMap<number, readonly [drugType: number, condition: number]>
}

/** What a group shows one company: the sums of all others' pharmacies in the cells that give nobody away. `own` are the companies whose sums are its own. */
export type Publication = (company: number, own?: ReadonlySet<number>) => PublishedCell[]

/**
 * The companies of a group whose sums are a company's own: itself, and those of which it has since bought every pharmacy. Null if a seller
 * kept some: their sums cannot be told apart, and the company could subtract its own from what it is shown of the others.
 */
export function ownSums(company: number, moved: readonly Moved[], pharmacies: Group['pharmacies']): Set<number> | null {
  const sellers = Map.groupBy(
    moved.filter(({ buyer }) => buyer === company),
    ({ seller }) => seller,
  )
  for (const [seller, bought] of sellers) if (bought.length !== pharmacies.get(seller)) return null
  return new Set([company, ...sellers.keys()])
}

/**
 * Prepares a group for publication to one company after another.
 * @returns what it shows each of them. The first cell is the total, even if everything is hidden
 */
export function publicationOf(group: Group, families: readonly Family[]): Publication {
  const all = added(group.figures, group.parents)
  const rowsOf = Map.groupBy(group.figures, (row) => row.company_id)
  const whole = [...group.pharmacies.values()].reduce((sum, count) => sum + count, 0)
  const ready = families.map((family) => ({ family, atoms: atomsOf(group, family) }))
  return (company, own = new Set([company])) => {
    const ownRows = [...own].flatMap((one) => rowsOf.get(one) ?? [])
    const others = less(all, added(ownRows, group.parents))
    const pharmacies = [...own].reduce((left, one) => left - (group.pharmacies.get(one) ?? 0), whole)
    const shown = ready.map(({ family, atoms }) => ({ family, cells: shownCells(own, family, atoms, others) }))
    const cells: PublishedCell[] = []
    for (const [key, cell] of others.counted) {
      const [category_id, subcategory_id] = key.split(' ').map(Number) as [number, number]
      const open = shown.filter((one) => one.cells.has(key))
      if (open.length === 0 && category_id !== 0) continue
      cells.push({ category_id, subcategory_id, pharmacies, ...HIDDEN, ...pick(cell, open) })
    }
    return cells
  }
}

const HIDDEN = {
  script_count: null,
  revenue_cents: null,
  measured_scripts: null,
  adherent_scripts: null,
  here_slots: null,
  leaked_slots: null,
}
/** What a group shows a company that may see nothing of it: a total without figures, which says that it was published. */
export const hiddenPublication = (): PublishedCell[] => [
  { category_id: 0, subcategory_id: 0, pharmacies: 0, ...HIDDEN },
]

type Sums = { -readonly [Column in keyof typeof HIDDEN]: number }
const SUM_COLUMNS = Object.keys(HIDDEN) as (keyof Sums)[]

function pick(cell: Sums, open: readonly { family: Family }[]): Partial<Sums> {
  return Object.fromEntries(open.flatMap(({ family }) => COLUMNS[family].map((column) => [column, cell[column]])))
}

const TOTAL_KEY = '0 0'
const keyOf = (category: number, subcategory: number) => `${category} ${subcategory}`

/** Sums of cells by key: drug types, conditions and the total, both as their molecules add up and as stored. */
interface Added {
  counted: Map<string, Sums>
  stored: Map<string, Sums>
}

function added(rows: readonly CompanyFigures[], parents: Group['parents']): Added {
  const counted = new Map<string, Sums>([[TOTAL_KEY, sumsOf()]])
  const stored = new Map<string, Sums>()
  const add = (to: Map<string, Sums>, key: string, row: CompanyFigures) => {
    const cell = to.get(key) ?? sumsOf()
    for (const column of SUM_COLUMNS) cell[column] += row[column]
    to.set(key, cell)
  }
  for (const row of rows) {
    const key = keyOf(row.category_id, row.subcategory_id)
    if (!FINEST_IDS.includes(row.category_id)) {
      add(stored, key, row)
      continue
    }
    add(counted, key, row)
    if (row.category_id !== categoryId('Molecule')) continue
    const [drugType, condition] = parents.get(row.subcategory_id)!
    add(counted, TOTAL_KEY, row)
    add(counted, keyOf(categoryId('Drug Type'), drugType), row)
    add(counted, keyOf(categoryId('Condition'), condition), row)
  }
  return { counted, stored }
}

const sumsOf = (read: (column: keyof Sums) => number = () => 0): Sums =>
  Object.fromEntries(SUM_COLUMNS.map((column) => [column, read(column)])) as unknown as Sums

/** The sums minus one company's own. */
function less(all: Added, own: Added): Added {
  const without = (from: Map<string, Sums>, some: Map<string, Sums>) =>
    new Map(
      [...from].map(([key, cell]) => {
        const mine = some.get(key)
        return [key, mine ? sumsOf((column) => cell[column] - mine[column]) : cell]
      }),
    )
  return { counted: without(all.counted, own.counted), stored: without(all.stored, own.stored) }
}

type Atoms = ReadonlyMap<number, readonly Atom[]>

/** The atoms of each way of counting, by category. */
function atomsOf({ figures, parents }: Group, family: Family): Atoms {
  const cells = Map.groupBy(
    figures.filter((row) => FINEST_IDS.includes(row.category_id)),
    (row) => keyOf(row.category_id, row.subcategory_id),
  )
  const atoms = [...cells.values()].map((rows) => ({
    category: rows[0]!.category_id,
    id: rows[0]!.subcategory_id,
    parents: rows[0]!.category_id === categoryId('Molecule') ? parents.get(rows[0]!.subcategory_id)! : [],
    measures: FAMILIES[family].map((read): Measure => rows.map(read)),
  }))
  return Map.groupBy(atoms, (atom) => atom.category)
}

/** The cells of a family of figures that may be shown to a company. */
function shownCells(own: ReadonlySet<number>, family: Family, atoms: Atoms, others: Added): Set<string> {
  const cells = new Set<string>()
  for (const [category, all] of atoms) {
    const parts = all.map((atom) => ({
      ...atom,
      measures: atom.measures.map((measure) => measure.filter((holding) => !own.has(holding.company))),
    }))
    const shown = shownParts(parts, SAFETIES[family])
    for (const atom of shown.atoms) cells.add(keyOf(category, atom))
    if (category !== categoryId('Molecule')) continue
    if (shown.whole) cells.add(TOTAL_KEY)
    for (const parent of closeParents(family, shown, others)) cells.add(parent)
  }
  return cells
}

/** Drug types and conditions that may be shown and whose molecules add up to their stored figures. */
function closeParents(family: Family, shown: Shown, { counted, stored }: Added): string[] {
  const keys = ['Drug Type', 'Condition'] as const
  return keys
    .flatMap((category) => [...shown.parents].map((parent) => keyOf(categoryId(category), parent)))
    .filter((key) => {
      const [sum, whole] = [counted.get(key), stored.get(key)]
      return (
        sum !== undefined &&
        whole !== undefined &&
        COLUMNS[family].every((column) => Math.abs(sum[column] - whole[column]) <= Math.abs(whole[column]) * CLOSE)
      )
    })
}
