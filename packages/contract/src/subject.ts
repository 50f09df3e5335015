import type { Call } from './call.ts'

/** Names of the `{…}` parts of a path, in order. */
export const partsOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')

/**
 * What a call is about, as one text or null for something new: what a re-entered password is granted for, and what the audit names.
 * Both ends work it out from the parsed input. Several ids are sorted, so that their order does not matter.
 */
export function subjectOf(call: Call, input: unknown): string | null {
  if (call.subject) {
    const subject = call.subject(input)
    if (subject === null || typeof subject === 'string') return subject
    return [...subject].sort().join(',')
  }
  const part = partsOf(call.path).find((name) => !call.secret?.includes(name))
  const value = part === undefined ? null : (input as Record<string, unknown> | null)?.[part]
  return value === null || value === undefined ? null : String(value)
}
