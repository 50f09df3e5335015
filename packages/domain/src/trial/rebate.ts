import type { ParticipantEvent } from './participant.ts'
import type { RebateType } from './trial.ts'

/** What a trial pays, in cents: to the pharmacy and to the platform. */
export interface RebateTerms {
  readonly rebate_type: RebateType
  readonly refer_rebate_cents: number
  readonly enroll_rebate_cents: number
  readonly sr_refer_rebate_cents: number
  readonly sr_enroll_rebate_cents: number
}

/** One entry in the rebate record of a patient in a trial. */
export interface RebateEntry {
  readonly kind: RebateType
  readonly cents: number
  readonly sr_cents: number
}

/**
 * The entry that an event adds to a patient's record; null for none. A referral or an enrolment pays the amounts in force at that moment, unless it
 * is already paid. Leaving a trial reverses what was paid for the enrolment, whatever the trial pays by then (decision 040).
 * @param ledger the patient's entries so far, in order
 */
export function rebateOf(
  event: ParticipantEvent,
  terms: RebateTerms,
  ledger: readonly RebateEntry[],
): RebateEntry | null {
  const kind = event === 'referred' ? 'refer' : event === 'enrolled' || event === 'unenrolled' ? 'enroll' : null
  if (kind === null) return null
  const own = ledger.filter((entry) => entry.kind === kind)
  // Payments and reversals alternate, so with an odd number of entries the last payment stands.
  const paid = own.length % 2 === 1 ? own.at(-1) : undefined
  if (event === 'unenrolled') return paid ? { kind, cents: 0 - paid.cents, sr_cents: 0 - paid.sr_cents } : null
  if (paid || terms.rebate_type !== kind) return null
  return kind === 'refer'
    ? { kind, cents: terms.refer_rebate_cents, sr_cents: terms.sr_refer_rebate_cents }
    : { kind, cents: terms.enroll_rebate_cents, sr_cents: terms.sr_enroll_rebate_cents }
}
