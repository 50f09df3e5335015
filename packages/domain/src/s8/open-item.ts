import type { Entry } from './entry.ts'

const differ = (one: string, other: string | null): boolean =>
  other !== null && other.trim() !== '' && other.trim().toLowerCase() !== one.trim().toLowerCase()

/** Entries of one register that refer to one of its entries. */
const about = (entry: Entry, all: readonly Entry[]) => all.filter((one) => one.refersTo === entry.number)

/** Two people have signed it. */
const twice = (entry: Entry) => differ(entry.pharmacist, entry.second)

/**
 * Whether an entry of an intern still waits for the signature of a pharmacist: nobody else has signed it, neither on the entry nor by a
 * countersignature that is an entry of its own. Nobody signs for themselves, and no intern for another.
 * @reference
 */
export function waitsForCountersign(entry: Entry, all: readonly Entry[]): boolean {
  if (!entry.intern || twice(entry)) return false
  return !about(entry, all).some(
    (one) => one.type === 'countersign' && !one.intern && differ(entry.pharmacist, one.pharmacist),
  )
}

/**
 * Whether what was supplied before its script arrived is still owed: neither the script came nor was it reversed.
 * @reference
 */
export function isOwing(entry: Entry, all: readonly Entry[]): boolean {
  if (entry.type !== 'owing') return false
  return !about(entry, all).some((one) => one.type === 'owing_closed' || one.type === 'reversal')
}

/**
 * How much of a script that is supplied in parts is still to come: prescribed less all that was supplied and not reversed; never below 0.
 * @reference
 */
export function partialRemaining(supplies: readonly Entry[], all: readonly Entry[]): number {
  const prescribed = Math.max(0, ...supplies.map((one) => one.prescribed ?? 0))
  const back = supplies.flatMap((one) => about(one, all).filter(({ type }) => type === 'reversal'))
  const sum = (entries: readonly Entry[]) =>
    entries.reduce((total, one) => total + Math.round((one.out - one.in) * 100), 0)
  return Math.max(0, Math.round(prescribed * 100) - sum(supplies) - sum(back)) / 100
}

/**
 * The scripts that are supplied in parts and not whole yet: one a product and script number.
 * @reference
 */
export function openPartials(all: readonly Entry[]): { product: string; reference: string; remaining: number }[] {
  const scripts = Map.groupBy(
    all.filter(({ type, reference }) => type === 'partial' && reference !== null),
    ({ product, reference }) => JSON.stringify([product, reference]),
  )
  return [...scripts].flatMap(([key, supplies]) => {
    const [product, reference] = JSON.parse(key) as [string, string]
    const remaining = partialRemaining(supplies, all)
    return remaining > 0 ? [{ product, reference, remaining }] : []
  })
}

export type DestructionState = 'pending' | 'destroyed' | 'reversed'

/**
 * pending until two people have signed that it was destroyed, or that it was put back. Damaged or expired stock leaves the count as it is set
 * aside and returns with its reversal; what patients bring back never touches it.
 * @reference
 */
export function destructionState(entry: Entry, all: readonly Entry[]): DestructionState {
  const signed = about(entry, all).filter(twice)
  if (signed.some(({ type }) => type === 'reversal')) return 'reversed'
  return signed.some(({ type }) => type === 'destroyed') ? 'destroyed' : 'pending'
}

/**
 * Whether an entry is one of what is to be destroyed.
 * @reference
 */
export const isDestruction = ({ type }: Pick<Entry, 'type'>): boolean =>
  type === 'destruction' || type === 'patient_return'
