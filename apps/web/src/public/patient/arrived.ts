import type { ConsentForm as Answers } from '@pillar/domain/consent/consent'

/** What a patient's answers became. */
export interface Arrived {
  /** The answers that count; null if it is not known which of several attempts arrived. */
  answers: Answers | null
  /** Later answers could not be saved, because the link works once. */
  late: boolean
}

/**
 * The answers that were saved, once the server refuses the link as used although attempts of this page got no answer.
 * @param unanswered the answers of those attempts, oldest first; at least one
 */
export function arrivedOf(unanswered: readonly Answers[], now: Answers): Arrived {
  const [first = now] = unanswered
  const same = (one: Answers) => JSON.stringify(one) === JSON.stringify(first)
  if (!unanswered.every(same)) return { answers: null, late: true }
  return { answers: first, late: !same(now) }
}
