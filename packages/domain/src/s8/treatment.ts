import type { Day } from '../time/day.ts'

/** Days after a dose, or an instalment, for which a patient counts as active. Our own choice; the programme has no figure. */
export const ACTIVE_DAYS = 30

/**
 * The first day on which a dose makes a patient active today: 30 days, including today.
 * @reference
 */
export const activeSince = (today: Day): Day => today - ACTIVE_DAYS + 1

interface Supply {
  readonly type: 'odt_dose' | 'staged'
  readonly patient: string
  readonly day: Day
}

/**
 * How many people had a dose (or an instalment) in the last 30 days; opioid treatment and staged supply never mix.
 * @reference
 */
export function activePatients(supplies: readonly Supply[], type: Supply['type'], today: Day): number {
  const since = activeSince(today)
  const active = supplies.filter((one) => one.type === type && one.day >= since && one.day <= today)
  return new Set(active.map(({ patient }) => patient)).size
}

/**
 * A count that the pharmacy's own system may send. The sent value takes precedence, because the system knows the scripts that a register does
 * not; otherwise the value derived from the register; null if there is neither.
 */
export const sentOr = (sent: number | null, derived: number | null): number | null => sent ?? derived
