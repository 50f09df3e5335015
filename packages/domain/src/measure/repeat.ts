import { EXPIRY_MONTHS, OVERDUE_DAYS } from '../dispensing/loyalty.ts'
import { addMonths, type Day } from '../time/day.ts'
import type { Span } from '../time/period.ts'
import { isRefundLine } from './line.ts'
import { sortedWithin } from './order.ts'
import type { PharmacyRecord } from './record.ts'

/** Facts about a prescription that are not in its lines. */
export interface PrescriptionFacts {
  /** Repeats authorised, for lines that do not say; -1 when unknown. */
  readonly repeats: number
  /** Null when unknown: it never expires. */
  readonly prescribedOn: Day | null
  readonly ceasedOn: Day | null
}

/** A repeat that was not dispensed here although the one before it was. */
export interface OpenRepeat {
  /** The day on which the previous supply is used up. */
  readonly due: Day
  /** The days on which the record showed it as open: from the previous supply to the day before the next one, or for good. */
  readonly from: Day
  readonly until: Day
  /** The last day on which it may be supplied; Infinity when unknown. */
  readonly expires: Day
}

/** Repeats of the next 30 days are due. */
export const DUE_WITHIN_DAYS = 30

/**
 * The days on which a repeat is due: from 30 days before its day until it is missed, 14 days after it, as long as it may still be supplied. None
 * if `to` comes first.
 */
export const dueDays = ({ due, from, until, expires }: OpenRepeat): Span => ({
  from: Math.max(from, due - DUE_WITHIN_DAYS),
  to: due > expires ? Number.NEGATIVE_INFINITY : Math.min(until, due + OVERDUE_DAYS - 1, expires),
})

/** Whether a repeat is missed at day `t`: 14 days past run-out, not dispensed here, and not expired. */
export const isMissed = ({ due, from, until, expires }: OpenRepeat, t: Day): boolean =>
  t >= from && t <= until && t >= due + OVERDUE_DAYS && t <= expires

/**
 * The open repeats of all prescriptions after each of their supplies, one at a time, because a list would take more memory than the record. If a
 * source puts supplies of two people on one prescription, each person has their own repeats. After a supply, the highest number seen so far
 * counts, and among lines with one number the earliest. None after the person's death, a cessation of this prescription, or a supply of the
 * medicine from a later dispensing system, in which it goes on as another one; any other prescription for the same medicine continues.
 * @param factsOf a prescription's facts, by its number; null if it expired before the requested days
 * @param died day of death of each person; null for the living
 * @param asked first and last requested day: repeats that were open on none of them are left out
 */
export function* openRepeats(
  { lines, supplies }: PharmacyRecord,
  factsOf: (prescription: number) => PrescriptionFacts | null,
  died: readonly (Day | null)[],
  asked: Span,
): Generator<OpenRepeat> {
  const { person, day, number, days, repeats, prescription } = lines
  const order = sortedWithin(supplies, prescription, [person, day, number, days, repeats])
  for (let at = 0; at < order.length; ) {
    const first = order[at] as number
    const isOwn = (line: number) => prescription[line] === prescription[first] && person[line] === person[first]
    let end = at
    while (end < order.length && isOwn(order[end] as number)) end++
    const facts = factsOf(prescription[first] as number)
    const dead = died[person[first] as number] ?? null
    if (facts) yield* ofPrescription(lines, order.subarray(at, end), { ...facts, died: dead }, asked)
    at = end
  }
}

function* ofPrescription(
  lines: PharmacyRecord['lines'],
  own: Uint32Array,
  { repeats, prescribedOn, ceasedOn, died }: PrescriptionFacts & { died: Day | null },
  asked: Span,
): Generator<OpenRepeat> {
  const ends = Math.min(ceasedOn ?? Number.POSITIVE_INFINITY, died ?? Number.POSITIVE_INFINITY) - 1
  // Calculated only for the few prescriptions with a repeat left.
  let expires: Day | null = null
  let highest = -1
  for (let at = 0; at < own.length; at++) {
    const line = own[at] as number
    if (highest < 0 || (lines.number[line] as number) > (lines.number[highest] as number)) highest = line
    const from = lines.day[line] as number
    const next = at + 1 < own.length ? (lines.day[own[at + 1] as number] as number) : Number.POSITIVE_INFINITY
    const until = Math.min(next - 1, ends)
    if (until < Math.max(from, asked.from) || from > asked.to) continue
    const stated = lines.repeats[highest] as number
    const slots = (stated < 0 ? repeats : stated) + 1
    if ((lines.number[highest] as number) >= slots) continue
    expires ??= prescribedOn === null ? Number.POSITIVE_INFINITY : addMonths(prescribedOn, EXPIRY_MONTHS)
    if (expires < asked.from) return
    const open = Math.min(until, continuedOn(lines, line) - 1)
    for (let slot = (lines.number[highest] as number) + 1; slot <= slots; slot++) {
      const ahead = slot - (lines.number[highest] as number)
      const due = (lines.day[highest] as number) + (lines.days[highest] as number) * ahead
      if (due > expires) break
      yield { due, from, until: open, expires }
    }
  }
}

/** The first later day on which the same person was supplied the same medicine from a later system; Infinity if never. */
function continuedOn(lines: PharmacyRecord['lines'], line: number): Day {
  const { person, molecule, day, systemFrom } = lines
  const own = systemFrom[line] as number
  if (own === 0) return Number.POSITIVE_INFINITY
  for (let at = line + 1; person[at] === person[line] && molecule[at] === molecule[line]; at++)
    if ((systemFrom[at] as number) > own && (day[at] as number) > (day[line] as number) && !isRefundLine(lines, at))
      return day[at] as number
  return Number.POSITIVE_INFINITY
}
