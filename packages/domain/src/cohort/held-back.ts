import type { Permission } from '../consent/consent.ts'

/** Why a selected patient gets no message. The first reason that applies, in this order, is the one shown. */
export const HELD_REASONS = [
  'no_consent',
  'opted_out',
  'no_contact',
  'invalid_contact',
  'unreachable',
  'deceased',
  'deceased_elsewhere',
  'facility',
  'capped',
  'already_contacted',
  'duplicate_contact',
  'test_patient',
] as const
export type HeldReason = (typeof HELD_REASONS)[number]

/**
 * Reasons that arise only at or after activation: holdout, no sending hour before the end, stopped by the sender, goal already reached, an event
 * that the record no longer shows, past the ceiling of its approval, and a number or address that differs from the one the message was written to.
 */
export const LATER_REASONS = [
  'held_out',
  'quiet_hours',
  'stopped',
  'goal_reached',
  'event_gone',
  'past_ceiling',
  'contact_changed',
] as const
export type SkipReason = HeldReason | (typeof LATER_REASONS)[number]

/** The labels of the reasons, per channel where they differ. */
export function reasonText(reason: SkipReason, channel: 'sms' | 'email'): string {
  const sms = channel === 'sms'
  const words: Readonly<Record<SkipReason, string>> = {
    no_consent: sms ? 'No consent to texts' : 'No consent to email',
    opted_out: 'Opted out',
    no_contact: sms ? 'No mobile number' : 'No email address',
    invalid_contact: sms ? 'Invalid mobile number' : 'Invalid email address',
    unreachable: sms ? 'Number not in service' : 'Email address does not exist',
    deceased: 'Has died',
    deceased_elsewhere: 'Recorded as deceased at another pharmacy',
    facility: 'Lives in a care facility',
    capped: 'Frequency limit reached',
    already_contacted: 'Already contacted by this campaign',
    duplicate_contact: sms ? 'Same mobile as someone already counted' : 'Same email as someone already counted',
    test_patient: 'Test patient',
    held_out: 'Comparison group, not messaged',
    quiet_hours: 'No sending hours before the end date',
    stopped: 'Stopped before sending',
    goal_reached: 'Visited before it was sent',
    event_gone: 'No longer applies: the record was corrected',
    past_ceiling: 'Would cost more than was approved',
    contact_changed: sms ? 'Mobile number changed before sending' : 'Email address changed before sending',
  }
  return words[reason]
}

const KNOWN: ReadonlySet<string> = new Set([...HELD_REASONS, ...LATER_REASONS])

/** Why a message was held back or failed: our labels for our own reasons, the gateway's words for its reasons. */
export function whyText(reason: string | null, channel: 'sms' | 'email'): string {
  return reason !== null && KNOWN.has(reason) ? reasonText(reason as SkipReason, channel) : reason || 'No reason given'
}

/** The same in a file for the pharmacy: it does not say what another pharmacy records about the patient. */
export const whyTextForPharmacy = (reason: string | null, channel: 'sms' | 'email'): string =>
  reason === 'deceased_elsewhere' ? 'Held back by head office' : whyText(reason, channel)

/** Why a message was allowed, as the consent record shows it. `agreed`: an entry of the consent log allows it. */
export function allowedText(kind: string, agreed: boolean): string {
  if (kind === 'confirmation') return 'Answer to the patient’s own STOP'
  if (kind === 'marketing') return 'Marketing: agreed to'
  return agreed ? 'Health outreach: agreed to' : 'Health outreach: nobody has said no'
}

export interface Recipient {
  /** Consent for this message and channel. */
  readonly consent: Permission
  /** Number in E.164 or address in lower case; null when the patient has none. */
  readonly contact: string | null
  readonly contactValid: boolean
  /** A gateway says that there is no such number or address. */
  readonly unreachable: boolean
  readonly deceased: boolean
  /** As another pharmacy of the company records it. */
  readonly deceasedElsewhere: boolean
  readonly facility: boolean
  readonly capped: boolean
  readonly alreadyContacted: boolean
  readonly testPatient: boolean
}

/** The one reason why this recipient is held back, or null when the message goes. `taken`: another recipient of the run has this contact. */
export function heldReason(recipient: Recipient, taken: boolean): HeldReason | null {
  const holds: Readonly<Record<HeldReason, boolean>> = {
    no_consent: recipient.consent === 'no_consent',
    opted_out: recipient.consent === 'opted_out',
    no_contact: recipient.contact === null || recipient.contact.trim() === '',
    invalid_contact: !recipient.contactValid,
    unreachable: recipient.unreachable,
    deceased: recipient.deceased,
    deceased_elsewhere: recipient.deceasedElsewhere,
    facility: recipient.facility,
    capped: recipient.capped,
    already_contacted: recipient.alreadyContacted,
    duplicate_contact: taken,
    test_patient: recipient.testPatient,
  }
  return HELD_REASONS.find((reason) => holds[reason]) ?? null
}

export interface HeldBack {
  readonly selected: number
  readonly willReceive: number
  readonly heldBack: number
  /** Every reason, including those with a count of 0; adds up to `heldBack`. */
  readonly reasons: Readonly<Record<HeldReason, number>>
}

/**
 * The forecast before a run: selected = will receive + held back, each person under one reason.
 * @reference
 */
export function countHeldBack(reasons: readonly (HeldReason | null)[]): HeldBack {
  const counts = Object.fromEntries(HELD_REASONS.map((reason) => [reason, 0])) as Record<HeldReason, number>
  let heldBack = 0
  for (const reason of reasons) {
    if (reason === null) continue
    counts[reason]++
    heldBack++
  }
  return { selected: reasons.length, willReceive: reasons.length - heldBack, heldBack, reasons: counts }
}
