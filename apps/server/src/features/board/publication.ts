import { productOf } from '@pillar/domain/board/brand'
import { type BoardAtom, type Bundle, boardBundles, type Share } from '@pillar/domain/board/bundle'
import { type Follower, followersOf, shownCurve } from '@pillar/domain/board/curve'
import type { Survival } from '@pillar/domain/figure/kaplan-meier'
import type { Brought, MonthFact, YearFacts } from './board-fact.ts'

/** A product as a company sees it: class, molecule, and the name if it is the company's own; empty for all others. */
export type Product = readonly [drugClass: string, molecule: string, own: string]
/** Where people came from: new to the class, from one of the company's own products, or from another one. */
export type From = 'new' | 'own' | 'other'

/** A month, divided into bundles of products that are shown together. */
export interface MonthParts {
  scripts: { of: Product[]; n: number }[]
}
/** A financial year: who began with which product, and how long those new to a class stayed with it. */
export interface YearParts {
  arrivals: { of: ArrivalAtom[]; n: number }[]
  curves: { of: Product; began: number; points: Survival[] }[]
}

/** The company a publication is for, and the names to use. */
export interface Reader {
  company: number
  /** The beginnings of its own products' names. */
  products: readonly string[]
  molecules: ReadonlyMap<number, readonly [drugClass: string, molecule: string]>
  /** Molecules that the published product average of the group does not show separately to the company have the same part. */
  averaged: (molecule: number) => string
}

const keyOf = (parts: readonly string[]) => parts.join('|')

/**
 * What a month of a group shows a company. The product average shows it sums of the same scripts. So bundles never cut through a part of
 * the average: whatever the board lacks when bundles leave a part is all of that part, and the difference between the two reveals nothing
 * more.
 */
export function monthPublication(brought: readonly Brought<MonthFact[]>[], reader: Reader): MonthParts {
  const atoms = new Map<string, { of: Product; shares: Share[] }>()
  const averaged = new Map<string, string>()
  for (const { location_id, company_id, facts } of brought)
    for (const { molecule, brand, scripts, patients } of facts) {
      const of = productFor(molecule, brand, reader)
      averaged.set(keyOf(of), reader.averaged(molecule))
      add(atoms, of, { company: company_id, location: location_id, amount: scripts, patients })
    }
  const inside = (of: Product) => {
    const [drugClass, molecule] = of
    const part = averaged.get(keyOf(of))!
    return [keyOf([part, drugClass, molecule]), keyOf([part, drugClass]), part, drugClass]
  }
  const bundles = bundlesOf(atoms, inside, reader)
  return { scripts: bundles.map(({ keys, amount }) => ({ of: keys.map((key) => atoms.get(key)!.of), n: amount })) }
}

/** What a year of a group shows a company. */
export function yearPublication(brought: readonly Brought<YearFacts>[], reader: Reader): YearParts {
  const named = (product: string) => productFor(...split(product), reader)
  const atoms = new Map<string, { of: ArrivalAtom; shares: Share[] }>()
  const classes = new Map<string, { own: boolean; person: Follower }[]>()
  for (const { location_id: location, company_id: company, facts } of brought) {
    for (const { to, from, events, patients } of facts.arrivals) {
      const of = arrivalOf(named(to), fromOf(from, reader))
      add(atoms, of, { company, location, amount: events, patients })
    }
    for (const { to, days, stopped, people } of facts.stays) {
      const [drugClass, , own] = named(to)
      const known = classes.get(drugClass) ?? []
      for (let at = 0; at < people; at++) known.push({ own: own !== '', person: { days, stopped, company, location } })
      classes.set(drugClass, known)
    }
  }
  // People new to a class are kept separate from those who switched for as long as possible: the curves are about them.
  const bundles = bundlesOf(
    atoms,
    ([drugClass, , own, from]) => [keyOf([drugClass, from, own === '' ? '' : OURS]), drugClass],
    reader,
  )
  const arrivals = bundles.map(({ keys, amount }) => ({ of: keys.map((key) => atoms.get(key)!.of), n: amount }))
  return {
    arrivals,
    curves: [...classes].flatMap(([drugClass, people]) =>
      cohortsOf(drugClass, people, arrivals).flatMap(({ of, followers }) => {
        const points = shownCurve(followers, reader.company)
        return points.length > 0 ? [{ of, began: followersOf(followers, reader.company), points }] : []
      }),
    ),
  }
}

type ArrivalAtom = readonly [...Product, From]

/**
 * The people a class's curves are about: those who began with the company's products, and all others; or the whole class, if it has none of
 * the company's products or one of the two is not a sum of bundles. Nobody, if the class is not one either: a curve must reveal nothing
 * about a number of people inside a bundle.
 */
function cohortsOf(
  drugClass: string,
  people: readonly { own: boolean; person: Follower }[],
  arrivals: YearParts['arrivals'],
): { of: Product; followers: Follower[] }[] {
  const isSum = (own: boolean | null) =>
    arrivals.length > 0 &&
    arrivals.every(({ of }) => {
      const inside = of.filter(
        ([name, , one, from]) => name === drugClass && from === 'new' && (own === null || own === (one !== '')),
      )
      return inside.length === 0 || inside.length === of.length
    })
  const those = (own: boolean | null) =>
    people.filter((one) => own === null || one.own === own).map(({ person }) => person)
  if (people.some(({ own }) => own) && isSum(true) && isSum(false))
    return [
      { of: [drugClass, '', OURS], followers: those(true) },
      { of: [drugClass, '', ''], followers: those(false) },
    ]
  return isSum(null) ? [{ of: [drugClass, drugClass, ''], followers: those(null) }] : []
}

function bundlesOf<P extends readonly string[]>(
  atoms: ReadonlyMap<string, { of: P; shares: Share[] }>,
  inside: (of: P) => string[],
  { company }: Reader,
): Bundle[] {
  const all = [...atoms].map(([key, { of, shares }]): BoardAtom => ({ key, inside: inside(of), shares }))
  return boardBundles(all, company)
}

/** Adds a pharmacy's figures to an atom. One person may have two of its products: the larger count is taken. */
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

/** People who left one of the company's products for another company's are counted together, whatever they take now. */
const arrivalOf = (product: Product, from: From): ArrivalAtom =>
  from === 'own' && product[2] === '' ? [product[0], '', '', from] : [...product, from]

const OURS = 'Our products'
