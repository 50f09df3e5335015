import { isSafe, type Measure, type Safety, SHOWN } from './average.ts'

/** The smallest part with figures: a molecule, an age band. */
export interface Atom {
  readonly id: number
  /** Ids of the coarser parts that contain it, one per grouping (drug type, condition); empty if it has none. */
  readonly parents: readonly number[]
  /** The figures that are shown or hidden together, such as scripts and revenue. The first decides the size. */
  readonly measures: readonly Measure[]
}

/** The parts of a whole that may be shown. */
export interface Shown {
  readonly whole: boolean
  readonly atoms: ReadonlySet<number>
  readonly parents: ReadonlySet<number>
}

interface Bundle {
  readonly atoms: readonly Atom[]
  readonly measures: readonly Measure[]
  readonly size: number
}

const NOTHING: Shown = { whole: false, atoms: new Set(), parents: new Set() }

/**
 * Decides which atoms, which coarser parts and whether the whole may be shown, so that no sum or difference of them gives a company away.
 *
 * It puts atoms into bundles, each of which is safe. An atom that is safe alone stays alone; the others of a parent join up, and take in the
 * smallest safe ones until the bundle is safe. Only parts made of whole bundles are shown. Whatever can be calculated from the shown figures is
 * then made of bundles, and as safe as they are: inside a bundle, every company's amount can be exchanged for another's without changing any
 * shown figure. With several groupings, a bundle stays inside as few parents as possible.
 * @param safeties what each measure must be based on; SHOWN by default
 */
export function shownParts(atoms: readonly Atom[], safeties: readonly Safety[] = []): Shown {
  const isSafeBundle = (bundle: Bundle) =>
    bundle.measures.every((measure, at) => isSafe(measure, safeties[at] ?? SHOWN))
  let bundles = atoms.map(single).filter((bundle) => bundle.measures.some(isThere))
  if (bundles.length === 0) return NOTHING
  const ways = bundles[0]!.atoms[0]!.parents.length
  for (const level of levelsOf(ways)) {
    const blocks = Map.groupBy(bundles, (bundle) => blockOf(bundle, level))
    bundles = [...blocks].flatMap(([block, own]) => (block === null ? own : mended(own, isSafeBundle)))
  }
  if (!bundles.every(isSafeBundle)) return NOTHING
  return shownOf(bundles)
}

const single = (atom: Atom): Bundle => ({ atoms: [atom], measures: atom.measures, size: amountOf(atom.measures[0]!) })
const isThere = (measure: Measure) => measure.some((holding) => holding.amount !== 0)
const amountOf = (measure: Measure) => measure.reduce((sum, holding) => sum + Math.abs(holding.amount), 0)

/** The parents a bundle must stay within, narrowest first: all of them, each alone, none. */
function levelsOf(ways: number): number[][] {
  const each = Array.from({ length: ways }, (_, way) => way)
  return [...(ways > 1 ? [each] : []), ...each.map((way) => [way]), []]
}

/** The block of a level that contains a bundle; null if several do. */
function blockOf({ atoms }: Bundle, level: readonly number[]): string | null {
  const [first, ...others] = atoms as [Atom, ...Atom[]]
  const inside = level.every((way) => others.every((atom) => atom.parents[way] === first.parents[way]))
  return inside ? level.map((way) => first.parents[way]).join(' ') : null
}

/** Joins the unsafe bundles of a block, adding the smallest others until the result is safe; one bundle of all if it never is. */
function mended(block: readonly Bundle[], isSafeBundle: (bundle: Bundle) => boolean): Bundle[] {
  // Ties are broken by id, so that the same figures always give the same result.
  const safe = block.filter(isSafeBundle).sort((a, b) => a.size - b.size || a.atoms[0]!.id - b.atoms[0]!.id)
  const rest = block.filter((bundle) => !isSafeBundle(bundle))
  if (rest.length === 0) return [...block]
  let merged = together(rest)
  while (!isSafeBundle(merged) && safe.length > 0) merged = together([merged, safe.shift()!])
  return [merged, ...safe]
}

function together(bundles: readonly Bundle[]): Bundle {
  if (bundles.length === 1) return bundles[0]!
  return {
    atoms: bundles.flatMap((bundle) => bundle.atoms),
    measures: bundles[0]!.measures.map((_, at) => added(bundles.map((bundle) => bundle.measures[at]!))),
    size: bundles.reduce((sum, bundle) => sum + bundle.size, 0),
  }
}

/** Amounts count by size, so that refunds do not make a company look smaller. If a pharmacy is in several parts, its largest amount counts. */
function added(measures: readonly Measure[]): Measure {
  const companies = new Map<number, { company: number; amount: number; pharmacies: number }>()
  for (const { company, amount, pharmacies } of measures.flat()) {
    const known = companies.get(company)
    if (!known) companies.set(company, { company, amount: Math.abs(amount), pharmacies })
    else {
      known.amount += Math.abs(amount)
      known.pharmacies = Math.max(known.pharmacies, pharmacies)
    }
  }
  return [...companies.values()]
}

function shownOf(bundles: readonly Bundle[]): Shown {
  const parents = new Set(bundles.flatMap((bundle) => bundle.atoms.flatMap((atom) => atom.parents)))
  const ways = bundles[0]!.atoms[0]!.parents.map((_, way) => way)
  for (const { atoms } of bundles) {
    for (const way of ways) {
      const touched = new Set(atoms.map((atom) => atom.parents[way]!))
      if (touched.size > 1) for (const parent of touched) parents.delete(parent)
    }
  }
  const alone = bundles.filter((bundle) => bundle.atoms.length === 1)
  return { whole: true, atoms: new Set(alone.map((bundle) => bundle.atoms[0]!.id)), parents }
}
