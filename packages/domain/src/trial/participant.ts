/** The state of a patient in a trial. */
export const PARTICIPANT_STATES = ['eligible', 'contacted', 'referred', 'enrolled', 'opted_out'] as const
export type ParticipantState = (typeof PARTICIPANT_STATES)[number]

/** Everything that can happen to a patient in a trial after becoming eligible. */
export const PARTICIPANT_EVENTS = ['contacted', 'referred', 'enrolled', 'unenrolled', 'opted_out'] as const
export type ParticipantEvent = (typeof PARTICIPANT_EVENTS)[number]

const NEXT: Readonly<Record<ParticipantEvent, Partial<Record<ParticipantState, ParticipantState>>>> = {
  contacted: { eligible: 'contacted' },
  referred: { eligible: 'referred', contacted: 'referred' },
  enrolled: { referred: 'enrolled' },
  unenrolled: { enrolled: 'referred' },
  opted_out: { eligible: 'opted_out', contacted: 'opted_out', referred: 'opted_out' },
}

/**
 * The state after an event; null if nothing changes: a step already reached, an enrolment without a referral, an opt-out after enrolment.
 * See decision 040.
 */
export function afterParticipantEvent(state: ParticipantState, event: ParticipantEvent): ParticipantState | null {
  return NEXT[event][state] ?? null
}

export interface Reached {
  readonly contacted_at: Date | null
  readonly referred_at: Date | null
  readonly enrolled_at: Date | null
  readonly opted_out_at: Date | null
}

export interface Funnel {
  readonly total_eligible: number
  readonly total_contacted: number
  readonly total_referred: number
  readonly total_enrolled: number
  readonly total_optout: number
}

/**
 * How many patients ever reached each step. A patient referred without an invitation counts as contacted, so that no step is larger than the one
 * before. @reference
 */
export function funnelOf(participants: readonly Reached[]): Funnel {
  const count = (holds: (one: Reached) => boolean) => participants.filter(holds).length
  return {
    total_eligible: participants.length,
    total_contacted: count((one) => one.contacted_at !== null),
    total_referred: count((one) => one.referred_at !== null),
    total_enrolled: count((one) => one.enrolled_at !== null),
    total_optout: count((one) => one.opted_out_at !== null),
  }
}

/** Referred of contacted, 0 to 1; null before anybody was contacted. */
export function referralRate({ total_contacted, total_referred }: Pick<Funnel, 'total_contacted' | 'total_referred'>) {
  return total_contacted === 0 ? null : total_referred / total_contacted
}
