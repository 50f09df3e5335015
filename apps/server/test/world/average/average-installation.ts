import { isGroup, isSafe } from '@pillar/domain/average/average'
import { type AverageSums, cellOver } from '@pillar/domain/average/average-period'
import type { CompanyFigures, PublishedCell } from '../../../src/features/average/average.queries.ts'
import { type Group, publicationOf } from '../../../src/features/average/publication.ts'
import { numberOf, type Scripts, WAYS, type Way, type World } from './average-world.ts'

/** The pharmacies behind a month's group, and what each held when the group was published. */
export interface Member {
  pharmacy: number
  version: 0 | 1
}
export interface PublishedGroup {
  /** All that entered, including the reader's own. */
  entered: readonly Member[]
  /** Those behind the shown figures. */
  members: readonly Member[]
  cells: ReadonlyMap<string, PublishedCell>
}
/** A figure read: the mean number of scripts, and its groups. */
export interface Reading {
  value: number
  groups: readonly PublishedGroup[]
}

/** The rules of an installation. A test breaks one at a time. */
export interface Rules {
  /** What a group shows a company. */
  publication: (asker: number, group: Group) => PublishedCell[]
  /** Whether the shown figures include the reader's own pharmacies. */
  withOwn: boolean
  /** What happens to later members of a month: further groups beside the first, or added to the published one. */
  later: 'groups' | 'one at a time' | 'anew'
  /** What the quarter consists of: its published months, or the pharmacies that are in all of them. */
  quarter: 'months' | 'pool'
}
export const RULES: Rules = {
  publication: (asker, group) => publicationOf(group, ['volume'])(asker),
  withOwn: false,
  later: 'groups',
  quarter: 'months',
}

/** Subcategory ids that no two parts share. */
export const idOf = (way: Way | 'Drug Type' | 'Condition', part: number) => numberOf(way) * 100 + part + 1
export const keyOf = (way: Way | 'Drug Type' | 'Condition', part: number) => `${numberOf(way)} ${idOf(way, part)}`
export const TOTAL_KEY = '0 0'

/** What a reader has seen of each month on the two dates. */
export function readMonths(world: World, asker: number, rules: Rules): Map<string, Reading>[][] {
  return world.months.map((_, month) => {
    let groups: PublishedGroup[] = []
    return ([0, 1] as const).map((date) => {
      groups = publishDue(world, month, date, groups, asker, rules)
      return readingsOf(groups)
    })
  })
}

function publishDue(
  world: World,
  month: number,
  date: 0 | 1,
  before: PublishedGroup[],
  asker: number,
  rules: Rules,
): PublishedGroup[] {
  const known = before.flatMap((group) => group.entered)
  const complete = world.pharmacies.flatMap(({ complete }, pharmacy) => {
    const from = complete[month]
    return from !== null && from !== undefined && from <= date ? [pharmacy] : []
  })
  const fresh = (pharmacies: readonly number[]) => pharmacies.map((pharmacy) => ({ pharmacy, version: date }))
  const publish = (members: Member[]) => [publishGroup(world, month, members, asker, rules)]
  if (rules.later === 'anew') return enters(world, complete) ? publish(fresh(complete)) : before
  const waiting = complete.filter((pharmacy) => !known.some((member) => member.pharmacy === pharmacy))
  if (rules.later === 'one at a time' && before.length > 0) {
    return waiting.length > 0 ? publish([...known, ...fresh(waiting)]) : before
  }
  return enters(world, waiting) ? [...before, ...publish(fresh(waiting))] : before
}

function enters({ pharmacies }: World, waiting: readonly number[]): boolean {
  const companies = Map.groupBy(waiting, (pharmacy) => pharmacies[pharmacy]!.company)
  return isGroup([...companies.values()].map((own) => own.length))
}

function publishGroup(
  world: World,
  month: number,
  members: readonly Member[],
  asker: number,
  { publication, withOwn }: Rules,
): PublishedGroup {
  const pharmacies = new Map<number, number>()
  for (const { pharmacy } of members) {
    const { company } = world.pharmacies[pharmacy]!
    pharmacies.set(company, (pharmacies.get(company) ?? 0) + 1)
  }
  const parents = new Map(
    world.molecules.map(({ drugType, condition }, at) => [
      idOf('Molecule', at),
      [idOf('Drug Type', drugType), idOf('Condition', condition)] as const,
    ]),
  )
  const cells = publication(withOwn ? -1 : asker, { figures: figuresOf(world, month, members), pharmacies, parents })
  return {
    entered: members,
    members: members.filter(({ pharmacy }) => withOwn || world.pharmacies[pharmacy]!.company !== asker),
    cells: new Map(cells.map((cell) => [`${cell.category_id} ${cell.subcategory_id}`, cell])),
  }
}

export const scriptsOf = (world: World, month: number, { pharmacy, version }: Member): Scripts =>
  world.pharmacies[pharmacy]!.scripts[month]![version]

/** Sums by company and cell, as in the database. A script brings $30. */
function figuresOf(world: World, month: number, members: readonly Member[]): CompanyFigures[] {
  const figures = new Map<string, CompanyFigures>()
  const add = (company: number, way: Way | 'Drug Type' | 'Condition', part: number, scripts: number) => {
    const key = `${company} ${keyOf(way, part)}`
    const cell = figures.get(key) ?? {
      ...{ company_id: company, category_id: numberOf(way), subcategory_id: idOf(way, part) },
      ...{
        script_count: 0,
        revenue_cents: 0,
        measured_scripts: 0,
        adherent_scripts: 0,
        here_slots: 0,
        leaked_slots: 0,
      },
      ...{ dispensing: 0, earning: 0, measuring: 0, leaking: 0 },
    }
    cell.script_count += scripts
    cell.revenue_cents += scripts * 3000
    if (scripts > 0) cell.dispensing += 1
    if (scripts > 0) cell.earning += 1
    figures.set(key, cell)
  }
  for (const member of members) {
    const { company } = world.pharmacies[member.pharmacy]!
    const scripts = scriptsOf(world, month, member)
    for (const way of WAYS) for (const [part, count] of scripts[way].entries()) add(company, way, part, count)
    for (const [at, { drugType, condition }] of world.molecules.entries()) {
      add(company, 'Drug Type', drugType, scripts.Molecule[at]!)
      add(company, 'Condition', condition, scripts.Molecule[at]!)
    }
  }
  return [...figures.values()]
}

/** What the screen shows of a month: the cells that any group shows. */
function readingsOf(groups: readonly PublishedGroup[]): Map<string, Reading> {
  const keys = new Set(groups.flatMap((group) => [...group.cells.keys()]))
  const readings = new Map<string, Reading>()
  for (const key of keys) {
    const cells = groups.map((group) => group.cells.get(key))
    const value = meanOf(cells.filter((cell) => cell !== undefined))
    const shown = groups.filter((_, at) => cells[at] && cells[at].script_count !== null)
    if (value !== null) readings.set(key, { value, groups: shown })
  }
  return readings
}

export const meanOf = (cells: readonly AverageSums[]) => cellOver([cells], null).script_count

/** Shows each cell that is safe by itself, or every cell, whatever can be subtracted from what. Proves that the attacker notices. */
export const cellByCell =
  (safe: boolean): Rules['publication'] =>
  (asker, { figures, pharmacies }) => {
    const others = figures.filter((row) => row.company_id !== asker)
    const total = others.filter((row) => row.category_id === numberOf('Sex'))
    const cells = Map.groupBy(
      [...others, ...total.map((row) => ({ ...row, category_id: 0, subcategory_id: 0 }))],
      (row) => `${row.category_id} ${row.subcategory_id}`,
    )
    const count = [...pharmacies].reduce((sum, [id, own]) => sum + (id === asker ? 0 : own), 0)
    return [...cells.values()].flatMap((own) => {
      const companies = Map.groupBy(own, (row) => row.company_id)
      const measure = [...companies].map(([company, rows]) => ({
        company,
        amount: rows.reduce((sum, row) => sum + row.script_count, 0),
        pharmacies: Math.max(...rows.map((row) => row.dispensing)),
      }))
      if (safe && !isSafe(measure)) return []
      const script_count = measure.reduce((sum, { amount }) => sum + amount, 0)
      const { category_id, subcategory_id } = own[0]!
      const hidden = {
        revenue_cents: null,
        measured_scripts: null,
        adherent_scripts: null,
        here_slots: null,
        leaked_slots: null,
      }
      return [{ category_id, subcategory_id, pharmacies: count, script_count, ...hidden }]
    })
  }
