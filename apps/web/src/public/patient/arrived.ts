/** What a patient's answers, or details, became. */
export interface Arrived<A> {
  /** Those that count; null if it is not known which of several attempts arrived. */
  answers: A | null
  /** Later ones could not be saved, because the link works once. */
  late: boolean
}

/**
 * The answers that were saved, once the server says that the link was used although attempts of this page got no answer.
 * @param unanswered the answers of those attempts, oldest first; at least one
 */
export function arrivedOf<A>(unanswered: readonly A[], now: A): Arrived<A> {
  const [first = now] = unanswered
  const same = (one: A) => JSON.stringify(one) === JSON.stringify(first)
  if (!unanswered.every(same)) return { answers: null, late: true }
  return { answers: first, late: !same(now) }
}
