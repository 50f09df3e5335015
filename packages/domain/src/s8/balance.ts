import type { BalanceCheck, Entry } from './entry.ts'

/** An entry with the balance that its product's entries add up to, and how the register's own balance compares. */
export interface Balanced extends Entry {
  readonly balance: number
  readonly status: BalanceCheck
}

/** In hundredths: quantities are added as whole numbers, so that 0.1 plus 0.2 is 0.3. */
const whole = (quantity: number) => Math.round(quantity * 100)

/**
 * How the register's balance compares with ours. A stocktake is correct exactly when the counted stock equals the balance. Otherwise, a different
 * stated balance is incorrect, whatever the register says; a missing one is a skipped check; and if both agree, the register's own word counts.
 * @param balance the sum of all entries up to this one
 * @reference
 */
export function balanceCheckOf(entry: Pick<Entry, 'stated' | 'counted' | 'check'>, balance: number): BalanceCheck {
  const { stated, counted, check } = entry
  if (counted !== null) return whole(counted) === whole(balance) ? 'correct' : 'incorrect'
  if (stated !== null && whole(stated) !== whole(balance)) return 'incorrect'
  return check ?? (stated === null ? 'skipped' : 'correct')
}

/**
 * The entries of a register in order of number, each with its product's balance: previous balance + in − out, starting at 0. Stock from before the
 * register began has its own entry ('opening').
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
 * Whether a later entry of the same product settles an incorrect balance: a correct stocktake, or an adjustment whose note says why.
 * @reference
 */
export function settlesBalance(later: Balanced, wrong: Balanced): boolean {
  if (later.product !== wrong.product || later.number <= wrong.number) return false
  if (later.type === 'count') return later.status === 'correct'
  return later.type === 'adjustment' && (later.note ?? '').trim() !== ''
}
