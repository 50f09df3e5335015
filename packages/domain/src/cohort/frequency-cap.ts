/** At most `messages` to one person in any `hours` hours in a row, across a company's pharmacies. */
export interface FrequencyCap {
  readonly messages: number
  readonly hours: number
}

/** The default of a company: two messages in any seven days. */
export const DEFAULT_CAP: FrequencyCap = { messages: 2, hours: 168 }

/** How many of a person's messages fall in the rolling hours ending at `at`: after `at - hours` up to and including `at`. */
export function countInWindow(cap: FrequencyCap, past: readonly number[], at: number): number {
  const from = at - cap.hours * 3_600_000
  return past.filter((sent) => sent > from && sent <= at).length
}

/**
 * Whether one more message at `at` stays within the limit. `past` is all the person's messages, including later ones, so that no window
 * overflows.
 */
export function keepsCap(cap: FrequencyCap, past: readonly number[], at: number): boolean {
  const until = at + cap.hours * 3_600_000
  const later = past.filter((sent) => sent > at && sent < until)
  return [at, ...later].every((end) => countInWindow(cap, past, end) < cap.messages)
}
