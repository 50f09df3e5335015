import { isSafe, type Safety, SHOWN } from '../average/average.ts'

/** The fewest patients behind any figure of a board. */
export const MIN_PATIENTS = 10
/** The fewest pharmacies behind any figure of a board. Without the reader's own company, the stricter SHOWN applies. */
export const MIN_PHARMACIES = 3

/** One pharmacy's contribution to a cell: an amount (scripts, or people), and the people behind it. */
export interface Share {
  readonly company: number
  readonly location: number
  readonly amount: number
  readonly patients: number
}

/** The smallest part for which a board has figures. */
export interface BoardAtom {
  readonly key: string
  /** The parts that contain it, such as its molecule, then its class. A bundle stays inside one of the first kind if it can, else of the next. */
  readonly inside: readonly string[]
  readonly shares: readonly Share[]
}

/** Atoms shown as one. */
export interface Bundle {
  readonly keys: readonly string[]
  readonly amount: number
}

/** A bundle being formed. It counts people per pharmacy as in its largest atom, since one person may be in several. */
interface Draft {
  readonly atoms: readonly BoardAtom[]
  readonly shares: readonly Share[]
}

/**
 * Whether a cell may be shown to a company. The company can subtract its own pharmacies; what is left must come from at least 10 patients and
 * from 5 pharmacies of 3 companies, none with over half (decision 032).
 */
export function mayShow(shares: readonly Share[], reader: number, safety: Safety = SHOWN): boolean {
  const others = shares.filter((share) => share.company !== reader && share.amount > 0)
  const patients = others.reduce((sum, share) => sum + share.patients, 0)
  const pharmacies = new Set(others.map((share) => share.location)).size
  if (patients < MIN_PATIENTS || pharmacies < MIN_PHARMACIES) return false
  const companies = [...Map.groupBy(others, (share) => share.company)]
  return isSafe(
    companies.map(([company, own]) => ({
      company,
      amount: own.reduce((sum, share) => sum + share.amount, 0),
      pharmacies: new Set(own.map((share) => share.location)).size,
    })),
    safety,
  )
}

/**
 * Divides a whole into bundles, each of which may be shown. Every figure of a board is a sum of bundles, so no sum or difference of shown
 * figures isolates anything smaller. An atom that may not be shown alone joins others of its first part, then of its next, then any. Those in
 * the smallest part come first, so that a small class never hides a large one.
 * @returns every bundle, or none if not even the whole may be shown
 */
export function boardBundles(atoms: readonly BoardAtom[], reader: number): Bundle[] {
  let drafts: Draft[] = atoms
    .filter((atom) => atom.shares.some((share) => share.amount > 0))
    .map((atom) => ({ atoms: [atom], shares: atom.shares }))
  const levels = atoms[0]?.inside.length ?? 0
  for (let level = 0; level <= levels; level++) {
    const blocks = Map.groupBy(drafts, (draft) => blockOf(draft, level))
    const sizes = level === 0 ? new Map<string | null, number>() : sizesOf(drafts, level - 1)
    drafts = [...blocks].flatMap(([block, own]) =>
      block === null
        ? own
        : mended(own, reader, (draft) => (level > 0 ? sizes.get(blockOf(draft, level - 1)) : null) ?? amountOf(draft)),
    )
  }
  if (!drafts.every((draft) => mayShow(draft.shares, reader))) return []
  return drafts.map((draft) => ({ keys: draft.atoms.map((atom) => atom.key), amount: amountOf(draft) }))
}

/** The part of a level that contains a draft; null if several do. After the last level all drafts are in one part. */
function blockOf({ atoms }: Draft, level: number): string | null {
  const names = new Set(atoms.map((atom) => atom.inside[level] ?? ''))
  return names.size === 1 ? [...names][0]! : null
}

/** The size of each part of a level. */
function sizesOf(drafts: readonly Draft[], level: number): Map<string | null, number> {
  const sizes = new Map<string | null, number>()
  for (const draft of drafts) {
    const block = blockOf(draft, level)
    if (block !== null) sizes.set(block, (sizes.get(block) ?? 0) + amountOf(draft))
  }
  return sizes
}

function mended(block: readonly Draft[], reader: number, partSize: (draft: Draft) => number): Draft[] {
  const shown = block
    .filter((draft) => mayShow(draft.shares, reader))
    .sort(
      (a, b) => partSize(a) - partSize(b) || amountOf(a) - amountOf(b) || (a.atoms[0]!.key < b.atoms[0]!.key ? -1 : 1),
    )
  const rest = block.filter((draft) => !mayShow(draft.shares, reader))
  if (rest.length === 0) return [...block]
  let merged = together(rest)
  while (!mayShow(merged.shares, reader) && shown.length > 0) merged = together([merged, shown.shift()!])
  return [merged, ...shown]
}

const amountOf = ({ shares }: Draft) => shares.reduce((sum, share) => sum + share.amount, 0)

function together(drafts: readonly Draft[]): Draft {
  if (drafts.length === 1) return drafts[0]!
  const locations = Map.groupBy(
    drafts.flatMap((draft) => draft.shares),
    (share) => share.location,
  )
  const shares = [...locations].map(([location, own]) => ({
    location,
    company: own[0]!.company,
    amount: own.reduce((sum, share) => sum + share.amount, 0),
    patients: Math.max(...own.map((share) => share.patients)),
  }))
  return { atoms: drafts.flatMap((draft) => draft.atoms), shares }
}
