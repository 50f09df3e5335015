import { SHOWN } from '@pillar/domain/average/average'
import { MIN_PATIENTS } from '@pillar/domain/board/bundle'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Brought, MonthFact, YearFacts } from './board-fact.ts'
import { monthPublication, type Reader, yearPublication } from './publication.ts'

const COMPANY = 1
const reader: Reader = {
  averaged: () => '',
  company: COMPANY,
  products: ['Cardaxa'],
  molecules: new Map([
    [1, ['Statins', 'rosuvastatin']],
    [2, ['Statins', 'atorvastatin']],
    [3, ['Sartans', 'candesartan']],
    [4, ['Sartans', 'telmisartan']],
  ]),
}

/** A number of one pharmacy that nobody may learn, the people behind it, and its subject. */
interface Cell {
  company: number
  location: number
  patients: number
  of: readonly string[]
}
/** A number that is shown: the sum of the cells for which this is true. */
type View = (cell: Cell) => boolean

const amount = fc.integer({ min: 0, max: 12 })
/** For many products most pharmacies have nobody who began with them, so that bundles have to be made. */
const few = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }) })
const product = fc.record({ molecule: fc.integer({ min: 1, max: 4 }), brand: fc.constantFrom('', 'cardaxa', 'lipex') })
const month = fc.uniqueArray(fc.record({ product, patients: amount, more: amount }), {
  ...{ minLength: 4, maxLength: 12 },
  selector: (one) => JSON.stringify(one.product),
})
const year = fc.uniqueArray(
  fc.record({
    product,
    from: fc.constantFrom('new', '1|cardaxa', '2|lipex'),
    people: few,
    days: fc.constantFrom(15, 25, 200),
  }),
  { minLength: 8, maxLength: 24, selector: (one) => JSON.stringify([one.product, one.from]) },
)
const pharmacy = fc.record({ company: fc.integer({ min: COMPANY, max: 6 }), month, next: month, year })
/** Pharmacies of the first night, and of a later one: they enter a period in separate groups. */
const network = fc.tuple(
  fc.array(pharmacy, { minLength: 12, maxLength: 24 }),
  fc.array(pharmacy, { minLength: 8, maxLength: 16 }),
)
type Pharmacy = ReturnType<typeof pharmacy.generate>['value']

const monthFacts = (drawn: Pharmacy['month']): MonthFact[] =>
  drawn
    .filter(({ patients }) => patients > 0)
    .map(({ product: one, patients, more }) => ({ ...one, patients, scripts: patients + more }))

function yearFacts(drawn: Pharmacy['year']): YearFacts {
  const known = drawn
    .filter(({ people }) => people > 0)
    .map(({ product: { molecule, brand }, ...one }) => ({ ...one, drug_class: 1, to: `${molecule}|${brand}` }))
  return {
    arrivals: known.map(({ drug_class, to, from, people }) => ({
      ...{ drug_class, to, from: from === 'new' ? null : from, events: people, patients: people },
    })),
    stays: known
      .filter(({ from }) => from === 'new')
      .map(({ drug_class, to, days, people }) => ({ drug_class, to, days, stopped: true, people })),
  }
}

const named = (molecule: number, brand: string) => {
  const [drugClass, name] = reader.molecules.get(molecule)!
  return [drugClass, name, brand === 'cardaxa' ? 'Cardaxa' : ''] as const
}

/** What a group of pharmacies shows of two months and a year, and the cells behind it. */
function shownOf(group: readonly Pharmacy[], night: number): { cells: Cell[]; views: View[] } {
  const cells: Cell[] = []
  const views: View[] = []
  const inGroup = (location: number) => Math.floor(location / 100) === night
  const brought = <F>(facts: (one: Pharmacy) => F): Brought<F>[] =>
    group.map((one, at) => ({ location_id: night * 100 + at, company_id: one.company, facts: facts(one) }))
  for (const period of ['month', 'next'] as const) {
    const facts = brought((one) => monthFacts(one[period]))
    for (const { location_id: location, company_id: company, facts: own } of facts)
      for (const { molecule, brand, patients } of own)
        cells.push({ company, location, patients, of: [period, ...named(molecule, brand)] })
    for (const { of } of monthPublication(facts, reader).scripts) {
      const keys = new Set(of.map((one) => [period, ...one].join()))
      views.push((cell) => inGroup(cell.location) && keys.has(cell.of.join()))
    }
  }
  const facts = brought((one) => yearFacts(one.year))
  for (const { location_id: location, company_id: company, facts: own } of facts)
    for (const { to, from, patients } of own.arrivals) {
      const [molecule, brand] = to.split('|') as [string, string]
      const [drugClass, name, ours] = named(Number(molecule), brand)
      const how = from === null ? 'new' : from === '1|cardaxa' ? 'own' : 'other'
      const of = how === 'own' && ours === '' ? [drugClass, '', '', how] : [drugClass, name, ours, how]
      cells.push({ company, location, patients, of: ['year', ...of] })
    }
  const { arrivals, curves } = yearPublication(facts, reader)
  for (const { of } of arrivals) {
    const keys = new Set(of.map((one) => ['year', ...one].join()))
    views.push((cell) => inGroup(cell.location) && keys.has(cell.of.join()))
  }
  // Numbers of a curve are rounded; the attack treats them as exact.
  for (const { of } of curves) {
    const whole = of[1] !== ''
    views.push(({ location, of: [kind, drugClass, , ours, how] }) => {
      const ofClass = kind === 'year' && drugClass === of[0] && how === 'new'
      return inGroup(location) && ofClass && (whole || (ours !== '') === (of[2] !== ''))
    })
  }
  return { cells, views }
}

/**
 * The smallest groups of cells that sums and differences of the views can tell apart: cells in the same views cannot be. Every combination
 * is made of whole groups, so it concerns at least as many pharmacies, companies and people as one of them. The reader knows their own
 * cells.
 */
function blocksOf({ cells, views }: ReturnType<typeof shownOf>): Cell[][] {
  const others = cells.filter(({ company }) => company !== COMPANY)
  const blocks = Map.groupBy(others, (cell) => views.map((view) => Number(view(cell))).join(''))
  return [...blocks].flatMap(([key, block]) => (key.includes('1') ? [block] : []))
}

describe('everything published to a company', () => {
  it('reveals nothing about fewer than 5 pharmacies, 3 companies or 10 patients, however it is added and subtracted', () => {
    let blocks = 0
    fc.assert(
      fc.property(network, ([first, later]) => {
        const nights = [shownOf(first, 1), shownOf(later, 2)]
        const all = { cells: nights.flatMap(({ cells }) => cells), views: nights.flatMap(({ views }) => views) }
        for (const block of blocksOf(all)) {
          const shops = Map.groupBy(block, ({ location }) => location)
          // One person may be behind several cells of a pharmacy.
          const people = [...shops.values()].reduce((sum, own) => sum + Math.max(...own.map((one) => one.patients)), 0)
          expect(shops.size).toBeGreaterThanOrEqual(SHOWN.pharmacies)
          expect(new Set(block.map(({ company }) => company)).size).toBeGreaterThanOrEqual(SHOWN.companies)
          expect(people).toBeGreaterThanOrEqual(MIN_PATIENTS)
          blocks++
        }
      }),
      { numRuns: 100 },
    )
    expect(blocks).toBeGreaterThan(300)
  })
})

describe('curves of a year', () => {
  /**
   * Five pharmacies of five other companies, each with these numbers of people new to the reader's product and to others, and of people who
   * switched.
   */
  const curvesOf = (ours: number, others: number, switched: number) => {
    const drawn = (people: number, brand: '' | 'cardaxa', from: 'new' | '2|lipex') => ({
      ...{ product: { molecule: 1, brand }, from, people, days: 15 as const },
    })
    const all = [drawn(ours, 'cardaxa', 'new'), drawn(others, '', 'new'), drawn(switched, 'cardaxa', '2|lipex')]
    const still = { drug_class: 1, to: '1|', days: 300, stopped: false, people: 9 }
    const ourStill = { ...still, to: '1|cardaxa', people: ours }
    const brought = [2, 3, 4, 5, 6].map((company): Brought<YearFacts> => {
      const facts = yearFacts(all)
      return {
        location_id: company,
        company_id: company,
        facts: { ...facts, stays: [...facts.stays, still, ourStill] },
      }
    })
    return yearPublication(brought, reader).curves.map(({ of }) => of)
  }

  it('cover the company’s products and all others, if both may be known', () => {
    expect(curvesOf(3, 20, 4)).toEqual([
      ['Statins', '', 'Our products'],
      ['Statins', '', ''],
    ])
  })

  it('cover the whole drug type, or nobody if all minus the others would reveal a few', () => {
    expect(curvesOf(1, 20, 0)).toEqual([['Statins', 'Statins', '']])
    expect(curvesOf(1, 20, 4)).toEqual([])
  })
})
