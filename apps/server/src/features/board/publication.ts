import { productOf } from '@pillar/domain/board/brand'
import { type BoardAtom, type Bundle, boardBundles, type Share } from '@pillar/domain/board/bundle'
import { type Follower, shownCurve } from '@pillar/domain/board/curve'
import type { Survival } from '@pillar/domain/figure/kaplan-meier'
import type { Brought, MonthFact, YearFacts } from './board-fact.ts'

/** A product as a company sees it: class, molecule, and the name of its own product; empty for everybody else's. */
export type Product = readonly [drugClass: string, molecule: string, own: string]
/** How people came: new to the class, from one of the company's own products, or from another one. */
export type From = 'new' | 'own' | 'other'

/** A month, divided into bundles of products that are shown as one. */
export interface MonthParts {
  scripts: { of: Product[]; n: number }[]
}
/** A financial year: who began with what, and how long those new to a class stayed with it. */
export interface YearParts {
  arrivals: { of: (readonly [...Product, From])[]; n: number }[]
  curves: { of: Product; began: number; points: Survival[] }[]
}

/** For whom a publication is, and what things are called. */
export interface Reader {
  company: number
  /** Names its own products begin with. */
  products: readonly string[]
  molecules: ReadonlyMap<number, readonly [drugClass: string, molecule: string]>
}

const keyOf = (parts: readonly string[]) => parts.join('|')

/** What a month of a group shows a company. */
export function monthPublication(brought: readonly Brought<MonthFact[]>[], reader: Reader): MonthParts {
  const atoms = new Map<string, { of: Product; shares: Share[] }>()
  for (const { location_id, company_id, facts } of brought)
    for (const { molecule, brand, scripts, patients } of facts) {
      const of = productFor(molecule, brand, reader)
      add(atoms, of, { company: company_id, location: location_id, amount: scripts, patients })
    }
  const bundles = bundlesOf(atoms, ([drugClass, molecule]) => [molecule, drugClass], reader)
  return { scripts: bundles.map(({ keys, amount }) => ({ of: keys.map((key) => atoms.get(key)!.of), n: amount })) }
}

/** What a year of a group shows a company. */
export function yearPublication(brought: readonly Brought<YearFacts>[], reader: Reader): YearParts {
  const named = (product: string) => productFor(...split(product), reader)
  const atoms = new Map<string, { of: readonly [...Product, From]; shares: Share[] }>()
  const owned = new Set(
    brought.flatMap(({ facts }) =>
      facts.arrivals.map(({ to }) => named(to)).flatMap(([drugClass, , own]) => (own === '' ? [] : [drugClass])),
    ),
  )
  const followers = new Map<string, { of: Product; people: Follower[] }>()
  for (const { location_id: location, company_id: company, facts } of brought) {
    for (const { to, from, events, patients } of facts.arrivals) {
      const of = arrivalOf(named(to), fromOf(from, reader))
      add(atoms, of, { company, location, amount: events, patients })
    }
    for (const { to, days, stopped, people } of facts.stays) {
      const of = cohortOf(named(to), owned)
      const known = followers.get(keyOf(of)) ?? { of, people: [] }
      for (let at = 0; at < people; at++) known.people.push({ days, stopped, company, location })
      followers.set(keyOf(of), known)
    }
  }
  const bundles = bundlesOf(atoms, ([drugClass, molecule, own]) => [keyOf([molecule, own]), drugClass], reader)
  return {
    arrivals: bundles.map(({ keys, amount }) => ({ of: keys.map((key) => atoms.get(key)!.of), n: amount })),
    curves: [...followers.values()].flatMap(({ of, people }) => {
      const points = shownCurve(people, reader.company)
      return points.length > 0 ? [{ of, began: Math.round(people.length / 10) * 10, points }] : []
    }),
  }
}

function bundlesOf<P extends readonly string[]>(
  atoms: ReadonlyMap<string, { of: P; shares: Share[] }>,
  inside: (of: P) => string[],
  { company }: Reader,
): Bundle[] {
  const all = [...atoms].map(([key, { of, shares }]): BoardAtom => ({ key, inside: inside(of), shares }))
  return boardBundles(all, company)
}

/** Adds what a pharmacy brings to an atom. Somebody may have two of its products: the most of one count. */
function add<P extends readonly string[]>(atoms: Map<string, { of: P; shares: Share[] }>, of: P, share: Share): void {
  const atom = atoms.get(keyOf(of)) ?? { of, shares: [] }
  const at = atom.shares.findIndex((one) => one.location === share.location)
  const known = atom.shares[at]
  if (known)
    atom.shares[at] = {
      ...known,
      amount: known.amount + share.amount,
      patients: Math.max(known.patients, share.patients),
    }
  else atom.shares.push(share)
  atoms.set(keyOf(of), atom)
}

const split = (product: string): [molecule: number, brand: string] => {
  const at = product.indexOf('|')
  return [Number(product.slice(0, at)), product.slice(at + 1)]
}

function productFor(molecule: number, brand: string, { molecules, products }: Reader): Product {
  const [drugClass, name] = molecules.get(molecule) ?? ['Other', 'other']
  return [drugClass, name, productOf(brand, products) ?? '']
}

const fromOf = (product: string | null, reader: Reader): From =>
  product === null ? 'new' : productFor(...split(product), reader)[2] === '' ? 'other' : 'own'

/** Whoever left one of the company's products for somebody else's is counted with all others who did, whatever they take now. */
const arrivalOf = (product: Product, from: From): readonly [...Product, From] =>
  from === 'own' && product[2] === '' ? [product[0], '', '', from] : [...product, from]

/**
 * Whom a curve is about: in a class with products of the company, all who began with these, and all others; elsewhere the whole class. Each
 * person is in one curve, so that no curve can be taken from another.
 */
const cohortOf = ([drugClass, , own]: Product, owned: ReadonlySet<string>): Product =>
  owned.has(drugClass) ? [drugClass, '', own === '' ? '' : OURS] : [drugClass, drugClass, '']

const OURS = 'Our products'
