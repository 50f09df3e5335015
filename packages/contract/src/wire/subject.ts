import type { Call } from './call.ts'

/** Names of the `{…}` parts of a path, in order. */
export const partsOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')

/**
 * The subject of a call as text, or null for something new: step-up and the audit use it.
 * Browser and server both derive it from the parsed input. Ids are sorted, so their order does not matter.
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
