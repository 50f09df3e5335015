/** Which way an entry may move stock. */
type Moves = 'in' | 'out' | 'either' | 'none'

/**
 * Every kind of entry of a register of Schedule 8 medicines. What is wrong is never changed: a reversal or an adjustment is an entry of its
 * own, with a reason.
 */
export const ENTRY_TYPES = {
  opening: { label: 'Balance brought forward', moves: 'in' },
  receipt: { label: 'Received', moves: 'in' },
  supply: { label: 'Supplied', moves: 'out' },
  owing: { label: 'Supplied, script owing', moves: 'out' },
  owing_closed: { label: 'Owing script received', moves: 'none' },
  partial: { label: 'Partial supply', moves: 'out' },
  odt_dose: { label: 'ODT dose', moves: 'out' },
  staged: { label: 'Staged supply', moves: 'out' },
  transfer_in: { label: 'Transferred in', moves: 'in' },
  transfer_out: { label: 'Transferred out', moves: 'out' },
  count: { label: 'Stocktake', moves: 'none' },
  adjustment: { label: 'Adjustment', moves: 'either' },
  destruction: { label: 'Set aside for destruction', moves: 'out' },
  patient_return: { label: 'Returned by a patient', moves: 'none' },
  destroyed: { label: 'Destroyed', moves: 'none' },
  reversal: { label: 'Reversal', moves: 'either' },
  countersign: { label: 'Countersigned', moves: 'none' },
} as const satisfies Record<string, { label: string; moves: Moves }>

export type EntryType = keyof typeof ENTRY_TYPES
export const ENTRY_TYPE_NAMES = Object.keys(ENTRY_TYPES) as [EntryType, ...EntryType[]]

/** The words for a kind of entry: 'Supplied, script owing'. */
export const entryLabel = (type: EntryType): string => ENTRY_TYPES[type].label

/** One entry of a register, as far as the rules read it. Quantities are of the product's own unit, in hundredths at most. */
export interface Entry {
  /** The register's running number: entries of a product follow one another by it. */
  readonly number: number
  readonly product: string
  readonly type: EntryType
  readonly in: number
  readonly out: number
  /** The balance that the register states after it; null when none was recorded. */
  readonly stated: number | null
  /** What was counted; only a stocktake has it. */
  readonly counted: number | null
  /** How the register itself recorded its balance check; null when it did not. */
  readonly check: BalanceCheck | null
  readonly pharmacist: string
  readonly intern: boolean
  /** The second signature on the entry itself: a countersignature, or the witness of a destruction. */
  readonly second: string | null
  readonly refersTo: number | null
  readonly note: string | null
  /** The script's number, and how much of it was prescribed: for partial supplies. */
  readonly reference: string | null
  readonly prescribed: number | null
}

export const BALANCE_CHECKS = ['correct', 'skipped', 'incorrect'] as const
export type BalanceCheck = (typeof BALANCE_CHECKS)[number]

/** The specification's words for them. */
export const CHECK_WORDS: Readonly<Record<BalanceCheck, string>> = {
  correct: 'Correct Balance',
  skipped: 'Balance Check Skipped',
  incorrect: 'Incorrect Balance',
}
