/** The direction in which an entry may move stock. */
type Moves = 'in' | 'out' | 'either' | 'none'

/**
 * Every kind of entry in a register of Schedule 8 medicines. Wrong entries are never changed: a reversal or an adjustment is a separate entry with
 * a reason.
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

/** The label of a kind of entry: 'Supplied, script owing'. */
export const entryLabel = (type: EntryType): string => ENTRY_TYPES[type].label

/** One entry of a register, with the fields the rules use. Quantities are in the product's own unit, to the hundredth. */
export interface Entry {
  /** The register's running number, which orders the entries of a product. */
  readonly number: number
  readonly product: string
  readonly type: EntryType
  readonly in: number
  readonly out: number
  /** The balance the register states after the entry; null if none was recorded. */
  readonly stated: number | null
  /** The counted stock; only a stocktake has it. */
  readonly counted: number | null
  /** The register's own record of its balance check; null if none. */
  readonly check: BalanceCheck | null
  readonly pharmacist: string
  readonly intern: boolean
  /** The second signature on the entry itself: a countersignature, or the witness of a destruction. */
  readonly second: string | null
  readonly refersTo: number | null
  readonly note: string | null
  /** The script's number, and the quantity it prescribes: for partial supplies. */
  readonly reference: string | null
  readonly prescribed: number | null
}

export const BALANCE_CHECKS = ['correct', 'skipped', 'incorrect'] as const
export type BalanceCheck = (typeof BALANCE_CHECKS)[number]

/** The specification's words for the checks. */
export const CHECK_WORDS: Readonly<Record<BalanceCheck, string>> = {
  correct: 'Correct Balance',
  skipped: 'Balance Check Skipped',
  incorrect: 'Incorrect Balance',
}
