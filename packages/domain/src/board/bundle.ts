import { isSafe, type Safety, SHOWN } from '../average/average.ts'

/** No figure of a board rests on fewer patients. */
export const MIN_PATIENTS = 10
/** No figure of a board rests on fewer pharmacies. Without the reader's own company it is held to SHOWN, which asks for more. */
export const MIN_PHARMACIES = 3

/** What one pharmacy brings to a cell: an amount (scripts, or people), and the people behind it. */
export interface Share {
  readonly company: number
  readonly location: number
  readonly amount: number
  readonly patients: number
}

/** The smallest part a board's figures are known for. */
export interface BoardAtom {
  readonly key: string
  /** The parts it lies in, such as its molecule, then its class. A bundle stays inside one of the first kind, else of the next, if it can. */
  readonly inside: readonly string[]
  readonly shares: readonly Share[]
}

/** Atoms that are shown as one. */
export interface Bundle {
  readonly keys: readonly string[]
  readonly amount: number
}

/** A bundle on its way: people are counted by pharmacy, at least as many as in its largest atom, since one may be in several. */
interface Draft {
  readonly atoms: readonly BoardAtom[]
  readonly shares: readonly Share[]
}

/**
 * Whether a cell may be shown to a company: what is left of it without the company's own pharmacies, which it can subtract, comes from at
 * least 10 patients and from 5 pharmacies of 3 companies, none with over half (decision 032).
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
 * Divides a whole into bundles each of which may be shown, so that no sum or difference of what is shown is made of anything smaller: every
 * figure of a board is a sum of bundles. What may not be shown goes together with others of its first part, then of its next, then of
 * all: with what lies in the smallest part first, so that a small class never hides a large one.
 * @returns every bundle, or none when not even the whole may be shown
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

/** The part of a level a draft lies in; null when it lies in several. After the last level all lie in one. */
function blockOf({ atoms }: Draft, level: number): string | null {
  const names = new Set(atoms.map((atom) => atom.inside[level] ?? ''))
  return names.size === 1 ? [...names][0]! : null
}

/** What lies in each part of a level. */
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
