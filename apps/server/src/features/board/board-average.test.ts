import { averagePart, type ShownScripts } from '@pillar/domain/average/average-part'
import { MIN_PATIENTS } from '@pillar/domain/board/bundle'
import { CATEGORIES, type Category } from '@pillar/domain/dispensing/category'
import { describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { type Random, randomFrom } from '../../../test/world/average/average-world.ts'
import type { CompanyFigures, PublishedCell } from '../average/average.queries.ts'
import { publicationOf } from '../average/publication.ts'
import type { Brought, MonthFact } from './board-fact.ts'
import { monthPublication } from './publication.ts'

const COMPANY = 1
const WORLDS = DEEP ? 30_000 : 1000
const idOf = (category: Category) => CATEGORIES.indexOf(category) + 1

/** One month of a group: each pharmacy's figures, and the groups molecules belong to. Molecules of one name may belong to two drug types. */
interface World {
  brought: Brought<MonthFact[]>[]
  molecules: { counted: number; drugType: number; condition: number }[]
}

function randomWorld(random: Random): World {
  const molecules = Array.from({ length: 3 + random.int(5) }, (_, at) => {
    const drugType = random.int(3)
    const counted = at > 0 && random.chance(0.1) ? at - 1 : at
    return { counted, drugType, condition: random.chance(0.6) ? drugType : random.int(3) }
  })
  const brands = ['', 'cardaxa', 'cardaxa plus', 'lipex']
  const popular = molecules.map(() => brands.map(() => random.next() ** 2))
  const brought: World['brought'] = []
  for (let company = COMPANY; company <= 4 + random.int(4); company++) {
    const sells = popular.map((own) => own.map((share) => random.chance(share + 0.2)))
    for (let at = 0; at < 1 + random.int(3); at++) {
      const facts = molecules.flatMap((_, molecule) =>
        brands.flatMap((brand, of) => {
          const patients = sells[molecule]![of] ? random.int(6) : 0
          return patients === 0 ? [] : [{ molecule, brand, patients, scripts: patients + random.int(4) }]
        }),
      )
      brought.push({ location_id: company * 10 + at, company_id: company, facts })
    }
  }
  return { brought, molecules }
}

/** Drug type and condition of each unit the average counts: those of the molecule known first. */
const parentsOf = ({ molecules }: World) =>
  new Map(
    [...molecules].reverse().map((one) => [one.counted, [100 + one.drugType, 200 + one.condition] as const] as const),
  )

/** What the product average shows the company. */
function averageOf(world: World): PublishedCell[] {
  const figures = new Map<string, CompanyFigures>()
  const add = (company_id: number, category: Category, subcategory_id: number, { scripts }: MonthFact) => {
    const key = [company_id, category, subcategory_id].join()
    const known = figures.get(key) ?? {
      ...{ company_id, category_id: idOf(category), subcategory_id, script_count: 0, revenue_cents: 0 },
      ...{ measured_scripts: 0, adherent_scripts: 0, here_slots: 0, leaked_slots: 0 },
      ...{ dispensing: 0, earning: 0, measuring: 0, leaking: 0 },
    }
    known.script_count += scripts
    known.revenue_cents += scripts * 3000
    figures.set(key, known)
  }
  const pharmacies = new Map<number, number>()
  for (const { company_id, facts } of world.brought) {
    pharmacies.set(company_id, (pharmacies.get(company_id) ?? 0) + 1)
    for (const fact of facts) {
      const { counted, drugType, condition } = world.molecules[fact.molecule]!
      add(company_id, 'Molecule', counted, fact)
      add(company_id, 'Drug Type', 100 + drugType, fact)
      add(company_id, 'Condition', 200 + condition, fact)
    }
    for (const counted of new Set(facts.map((fact) => world.molecules[fact.molecule]!.counted))) {
      const cell = figures.get([company_id, 'Molecule', counted].join())!
      cell.dispensing++
      cell.earning++
    }
  }
  return publicationOf({ figures: [...figures.values()], pharmacies, parents: parentsOf(world) }, ['volume'])(COMPANY)
}

/** The smallest knowable sums of other companies' scripts, and which of them make up each shown figure. */
interface Views {
  atoms: { key: string; counted: number; shares: { company: number; location: number; patients: number }[] }[]
  average: number[][]
  board: number[][]
}

function viewsOf(world: World, isAware: boolean): Views {
  const parents = parentsOf(world)
  const cells = averageOf(world).filter(({ script_count }) => script_count !== null)
  const ids = (category: Category) =>
    new Set(cells.flatMap((cell) => (cell.category_id === idOf(category) ? [cell.subcategory_id] : [])))
  const shown: ShownScripts = {
    molecules: ids('Molecule'),
    drugTypes: ids('Drug Type'),
    conditions: ids('Condition'),
  }
  const names = world.molecules.map(({ counted, drugType }) => [`type ${drugType}`, `molecule ${counted}`] as const)
  const { scripts } = monthPublication(world.brought, {
    ...{ company: COMPANY, products: ['Cardaxa', 'Cardaxa Plus'], molecules: new Map(names.entries()) },
    averaged: (molecule) => {
      const { counted } = world.molecules[molecule]!
      return isAware ? averagePart(counted, parents.get(counted)!, shown) : ''
    },
  })
  const own = (brand: string) => ({ cardaxa: 'Cardaxa', 'cardaxa plus': 'Cardaxa Plus' })[brand] ?? ''
  const atoms = new Map<string, Views['atoms'][number]>()
  for (const { company_id: company, location_id: location, facts } of world.brought)
    for (const { molecule, brand, patients } of company === COMPANY ? [] : facts) {
      const key = [...names[molecule]!, own(brand)].join()
      const atom = atoms.get(key) ?? { key, counted: world.molecules[molecule]!.counted, shares: [] }
      atom.shares.push({ company, location, patients })
      atoms.set(key, atom)
    }
  const all = [...atoms.values()]
  const adding = (is: (atom: Views['atoms'][number]) => boolean) => all.map((atom) => Number(is(atom)))
  const average = cells.map(({ category_id, subcategory_id }) =>
    adding(({ counted }) => {
      const [drugType, condition] = parents.get(counted)!
      return [
        category_id === 0,
        category_id === idOf('Molecule') && subcategory_id === counted,
        category_id === idOf('Drug Type') && subcategory_id === drugType,
        category_id === idOf('Condition') && subcategory_id === condition,
      ].includes(true)
    }),
  )
  const board = scripts.map(({ of }) => {
    const keys = new Set(of.map((one) => one.join()))
    return adding(({ key }) => keys.has(key))
  })
  return { atoms: all, average, board }
}

const PRIME = 65_521

/** The rank of a matrix of small whole numbers. */
function rankOf(rows: readonly (readonly number[])[]): number {
  const left = rows.map((row) => [...row])
  let rank = 0
  for (let column = 0; column < (rows[0]?.length ?? 0); column++) {
    const pivot = left.findIndex((row, at) => at >= rank && row[column] !== 0)
    if (pivot < 0) continue
    ;[left[rank], left[pivot]] = [left[pivot]!, left[rank]!]
    const top = left[rank]!
    for (let at = rank + 1; at < left.length; at++) {
      const row = left[at]!
      const factor = row[column]!
      if (factor === 0) continue
      left[at] = row.map((value, of) => (((value * top[column]! - factor * top[of]!) % PRIME) + PRIME) % PRIME)
    }
    rank++
  }
  return rank
}

/** How many independent sums and differences of some views concern only certain atoms. */
const knownOf = (views: readonly number[][], inside: ReadonlySet<number>) =>
  rankOf(views) - rankOf(views.map((row) => row.filter((_, at) => !inside.has(at))))

/** Atoms sold by only two companies, and atoms with fewer than ten patients together: as many as possible of each. */
function secretsOf({ atoms }: Views): Set<number>[] {
  const companies = [...new Set(atoms.flatMap(({ shares }) => shares.map(({ company }) => company)))]
  const at = (is: (atom: Views['atoms'][number]) => boolean) =>
    new Set(atoms.flatMap((atom, index) => (is(atom) ? [index] : [])))
  const soldBy = companies.flatMap((one) =>
    companies.map((other) => at(({ shares }) => shares.every(({ company }) => company === one || company === other))),
  )
  const peopleOf = (some: readonly number[]) => {
    const byPharmacy = Map.groupBy(
      some.flatMap((index) => atoms[index]!.shares),
      ({ location }) => location,
    )
    return [...byPharmacy.values()].reduce((sum, own) => sum + Math.max(...own.map(({ patients }) => patients)), 0)
  }
  const few: number[][] = [[]]
  for (const [index] of atoms.entries())
    for (const some of [...few]) if (peopleOf([...some, index]) < MIN_PATIENTS) few.push([...some, index])
  return [...soldBy, ...few.map((some) => new Set(some))].filter((secret) => secret.size > 0)
}

/** The secrets of a world that the board reveals to a reader of the product average, beyond what the average alone reveals. */
function attack(seed: number, isAware: boolean): { found: string[]; bundles: number } {
  const views = viewsOf(randomWorld(randomFrom(seed)), isAware)
  const both = [...views.average, ...views.board]
  const found = secretsOf(views).filter((secret) => knownOf(both, secret) > knownOf(views.average, secret))
  const names = (secret: Set<number>) => [...secret].map((at) => views.atoms[at]!.key).join(' + ')
  return { found: found.map((secret) => `world ${seed}: ${names(secret)}`), bundles: views.board.length }
}

describe('a board and the product average together', () => {
  it('reveal nothing about two companies or fewer than ten patients, however they are subtracted', () => {
    let bundles = 0
    for (let seed = 1; seed <= WORLDS; seed++) {
      const one = attack(seed, true)
      expect(one.found).toEqual([])
      bundles += one.bundles
    }
    expect(bundles).toBeGreaterThan(WORLDS * 2)
  })

  it('would, if boards were divided without regard to the average', () => {
    const found = Array.from({ length: 300 }, (_, at) => attack(at + 1, false).found).flat()
    expect(found).not.toEqual([])
  })
})
