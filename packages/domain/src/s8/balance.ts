import type { BalanceCheck, Entry } from './entry.ts'

/** An entry with the balance that all entries of its product come to, and how the register's own compares. */
export interface Balanced extends Entry {
  readonly balance: number
  readonly status: BalanceCheck
}

/** Hundredths: quantities are added as whole numbers, so that 0.1 and 0.2 are 0.3. */
const whole = (quantity: number) => Math.round(quantity * 100)

/**
 * How the register's balance compares with ours. A stocktake is correct exactly when what was counted is the balance. Otherwise a stated
 * balance that differs is incorrect, whatever the register says of it; none is a check that was skipped; and where both agree the register's
 * own word counts.
 * @param balance what all entries up to this one come to
 * @reference
 */
export function balanceCheckOf(entry: Pick<Entry, 'stated' | 'counted' | 'check'>, balance: number): BalanceCheck {
  const { stated, counted, check } = entry
  if (counted !== null) return whole(counted) === whole(balance) ? 'correct' : 'incorrect'
  if (stated !== null && whole(stated) !== whole(balance)) return 'incorrect'
  return check ?? (stated === null ? 'skipped' : 'correct')
}

/**
 * The entries of a register in the order of their numbers, each with its product's balance: balance before + in − out, from 0 on. What was
 * there before the register began is an entry of its own ('opening').
 * @reference
 */
export function balanced(entries: readonly Entry[]): Balanced[] {
  const sums = new Map<string, number>()
  return [...entries]
    .sort((a, b) => a.number - b.number)
    .map((entry) => {
      const sum = (sums.get(entry.product) ?? 0) + whole(entry.in) - whole(entry.out)
      sums.set(entry.product, sum)
      return { ...entry, balance: sum / 100, status: balanceCheckOf(entry, sum / 100) }
    })
}

/**
 * Whether a later entry of the same product settles an incorrect balance: a stocktake that agrees, or an adjustment with a note that says why.
 * @reference
 */
export function settlesBalance(later: Balanced, wrong: Balanced): boolean {
  if (later.product !== wrong.product || later.number <= wrong.number) return false
  if (later.type === 'count') return later.status === 'correct'
  return later.type === 'adjustment' && (later.note ?? '').trim() !== ''
}
