import { carryInFrom } from '../dispensing/adherence.ts'
import { EXPIRY_MONTHS } from '../dispensing/loyalty.ts'
import { addMonths, type Day } from '../time/day.ts'
import type { EventFacts } from './sequence.ts'

/** One line dispensed to a patient. */
export interface DispensedLine {
  readonly day: Day
  readonly molecule: number
  /** Days' supply. */
  readonly days: number
  /** Supply number on its prescription, and repeats authorised; null when the source does not say. */
  readonly supplyNumber: number | null
  readonly repeatsAuthorised: number | null
  readonly prescribedOn: Day | null
  /** The prescriber has ended the prescription, so no repeats are left. */
  readonly ceased: boolean
}

/** A script with an unknown date never expires: a day far in the future. */
export const NEVER_EXPIRES: Day = 1_000_000

/**
 * Facts about a patient and a molecule for sequence events, from the patient's lines up to `today`; null without a supply of the
 * molecule. Among several lines on the latest day, the highest supply number decides for the prescription, then the
 * most repeats left, then the latest expiry. Early refills of the 365 days before the latest supply carry over. A molecule supplied on one day only is a one-off
 * and has no cycle (decision 021).
 * @reference
 */
export function eventFacts(lines: readonly DispensedLine[], molecule: number, today: Day): EventFacts | null {
  const known = lines.filter((line) => line.day <= today).sort((a, b) => a.day - b.day)
  const own = known.filter((line) => line.molecule === molecule)
  const supplied = own.at(-1)?.day
  if (supplied === undefined) return null
  let runOut = Number.NEGATIVE_INFINITY
  for (const line of own.filter(({ day }) => day >= carryInFrom(supplied))) {
    runOut = Math.max(runOut, line.day) + line.days
  }
  const [script] = own
    .filter(({ day }) => day === supplied)
    .map(scriptOf)
    .sort(
      (a, b) =>
        b.dispenseNumber - a.dispenseNumber ||
        b.repeatsLeft - a.repeatsLeft ||
        b.expires - a.expires ||
        b.repeatsAuthorised - a.repeatsAuthorised,
    )
  return {
    supplied,
    suppliedBefore: own.findLast(({ day }) => day < supplied)?.day ?? null,
    historyFrom: known[0]!.day,
    runOut,
    ...script!,
    lastVisit: known.at(-1)!.day,
    meanCycle: meanCycle(known),
  }
}

function scriptOf(line: DispensedLine) {
  const { supplyNumber, repeatsAuthorised, prescribedOn } = line
  const expires = prescribedOn === null ? NEVER_EXPIRES : addMonths(prescribedOn, EXPIRY_MONTHS)
  // Missing data starts no sequence.
  if (supplyNumber === null || repeatsAuthorised === null) {
    return { repeatsLeft: 0, dispenseNumber: 0, repeatsAuthorised: 0, expires }
  }
  const repeatsLeft = line.ceased ? 0 : Math.max(0, repeatsAuthorised + 1 - supplyNumber)
  return { repeatsLeft, dispenseNumber: supplyNumber, repeatsAuthorised, expires }
}

/** Mean days between a patient's visits, one-off items excluded; null with fewer than two. */
function meanCycle(lines: readonly DispensedLine[]): number | null {
  const daysOf = (molecule: number) => new Set(lines.filter((line) => line.molecule === molecule).map(({ day }) => day))
  const visits = [...new Set(lines.filter((line) => daysOf(line.molecule).size > 1).map(({ day }) => day))].sort(
    (a, b) => a - b,
  )
  return visits.length < 2 ? null : (visits.at(-1)! - visits[0]!) / (visits.length - 1)
}
