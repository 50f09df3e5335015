import type { Entry } from './entry.ts'

const differ = (one: string, other: string | null): boolean =>
  other !== null && other.trim() !== '' && other.trim().toLowerCase() !== one.trim().toLowerCase()

/** Later entries about the same product that refer to an entry: a mistyped number must not close somebody else's script. */
const naming = (entry: Entry, all: readonly Entry[]) =>
  all.filter((one) => one.refersTo === entry.number && one.product === entry.product && one.number > entry.number)

const reversalsOf = (entry: Entry, all: readonly Entry[]) =>
  naming(entry, all).filter(({ type }) => type === 'reversal')

/**
 * The same without those that were reversed in their turn: a mistake is corrected by a reversal, and must not stay in force. A reversal that
 * was itself reversed undoes nothing.
 */
const about = (entry: Entry, all: readonly Entry[]) =>
  naming(entry, all).filter((one) => reversalsOf(one, all).every((undo) => reversalsOf(undo, all).length > 0))

/** Whether two people have signed it. */
const twice = (entry: Entry) => differ(entry.pharmacist, entry.second)

/**
 * Whether an intern's entry still waits for a pharmacist's signature: nobody else has signed it, neither on the entry nor by a separate
 * countersignature. Nobody signs for themselves, and no intern for another.
 * @reference
 */
export function waitsForCountersign(entry: Entry, all: readonly Entry[]): boolean {
  if (!entry.intern || twice(entry)) return false
  return !about(entry, all).some(
    (one) => one.type === 'countersign' && !one.intern && differ(entry.pharmacist, one.pharmacist),
  )
}

/**
 * Whether the script for an advance supply is still owed: it has not arrived, and the supply was not reversed.
 * @reference
 */
export function isOwing(entry: Entry, all: readonly Entry[]): boolean {
  if (entry.type !== 'owing') return false
  return !about(entry, all).some((one) => one.type === 'owing_closed' || one.type === 'reversal')
}

/**
 * The rest of a script supplied in parts: the prescribed quantity minus everything supplied and not reversed; never below 0.
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
 * Scripts supplied in parts and not yet complete: one per product and script number.
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
 * pending until two people have signed that the stock was destroyed or put back. Damaged or expired stock leaves the balance when it is set aside
 * and returns with its reversal; medicines returned by patients never touch the balance.
 * @reference
 */
export function destructionState(entry: Entry, all: readonly Entry[]): DestructionState {
  const signed = about(entry, all).filter(twice)
  if (signed.some(({ type }) => type === 'reversal')) return 'reversed'
  return signed.some(({ type }) => type === 'destroyed') ? 'destroyed' : 'pending'
}

/**
 * Whether an entry records stock for destruction.
 * @reference
 */
export const isDestruction = ({ type }: Pick<Entry, 'type'>): boolean =>
  type === 'destruction' || type === 'patient_return'
