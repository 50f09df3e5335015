/** Columns of dispense lines, all of one length: entry n of each belongs to line n. */
export interface LineColumns {
  /** Number of the person and of the molecule, counted from 0. */
  readonly person: Int32Array
  readonly molecule: Int32Array
  readonly day: Int32Array
  /** Days' supply. */
  readonly days: Int32Array
  /** Patient price and government amount together; negative for a refund. */
  readonly cents: Int32Array
  /** Patient type, 0 when unknown. */
  readonly type: Int32Array
  /** 1 for a medicine taken continuously by somebody who does not live in a facility. */
  readonly continuous: Int32Array
  /** Number of the prescription, counted from 0; -1 without one. */
  readonly prescription: Int32Array
  /** Supply number; 0 when unknown. */
  readonly number: Int32Array
  /** Repeats authorised; -1 when unknown. */
  readonly repeats: Int32Array
  /** What the line cost the pharmacy, in cents; NO_COST if unknown. */
  readonly cost: Int32Array
  /** The source of the days' supply: the position in DAYS_BASES, counted from 1; 0 when unknown. */
  readonly basis: Int32Array
  /** 1 for a medicine that may be dispensed for 60 days, 2 if this line was, else 0. */
  readonly sixty: Int32Array
  /** First day of data of the dispensing system that sent the line, which knows no earlier supply; 0 at a pharmacy that has had only one. */
  readonly systemFrom: Int32Array
}

/** Marks a cost that was not sent. */
export const NO_COST = -(2 ** 31)

export const LINE_COLUMNS = [
  'person',
  'molecule',
  'day',
  'days',
  'cents',
  'type',
  'continuous',
  'prescription',
  'number',
  'repeats',
  'cost',
  'basis',
  'sixty',
  'systemFrom',
] as const satisfies readonly (keyof LineColumns)[]

/**
 * The lines whose columns `make` provides. Written out so that all lines have one shape in memory, which makes reading a column several times
 * faster.
 */
export const lineColumns = (make: (name: keyof LineColumns) => Int32Array): LineColumns => ({
  person: make('person'),
  molecule: make('molecule'),
  day: make('day'),
  days: make('days'),
  cents: make('cents'),
  type: make('type'),
  continuous: make('continuous'),
  prescription: make('prescription'),
  number: make('number'),
  repeats: make('repeats'),
  cost: make('cost'),
  basis: make('basis'),
  sixty: make('sixty'),
  systemFrom: make('systemFrom'),
})

/** A column's values in another order. */
export function picked(column: Int32Array, order: Uint32Array): Int32Array {
  const made = new Int32Array(order.length)
  for (let at = 0; at < order.length; at++) made[at] = column[order[at] as number] as number
  return made
}

/**
 * Whether a line is a refund: patient price and government amount together are negative. A refund counts only in revenue. It is no script,
 * visit, supply, business day, slot or sign that a patient is active.
 */
export const isRefundLine = (lines: LineColumns, at: number): boolean => (lines.cents[at] as number) < 0
