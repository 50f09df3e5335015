import type { z } from 'zod'

/** Settings whose whole value is a secret. */
const SECRET = /(SECRET|KEYS?|KEY_ID|TOKEN|PASSWORD|HEADERS)$/

/** Settings that are addresses: if the scheme is missing, the value begins with a user and a password. */
const ADDRESS = /(URL|DSN|ENDPOINT)$/
const SCHEME_AND_USER = /^([a-z][a-z0-9+.-]*:\/\/)?.*@/is
/** As part of an address, or in the connection form of PostgreSQL's own tools: host=… password=… */
const NAMED_SECRET = /((?:password|passwd|pwd|secret|token|key)\s*=\s*)(?:'[^']*'|[^&\s]*)/gi

/** A value that may be printed: for a secret only its length, for an address without user and password. */
export function shownValue(name: string, value: string): string {
  if (SECRET.test(name)) return `(${value.length} characters)`
  if (ADDRESS.test(name)) return value.replace(NAMED_SECRET, '$1…').replace(SCHEME_AND_USER, '$1…@')
  return value.replace(/\/\/.*@/s, '//…@')
}

/** What a setting must be, from zod's issue: a sentence without its full stop. */
export function mustBe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `It may be ${issue.values.join(', ')}`
  if (issue.code === 'invalid_type') return `It must be a ${issue.expected === 'int' ? 'whole number' : 'number'}`
  if (issue.code === 'too_small') return `It must ${measure(issue.origin, issue.minimum)} or more`
  if (issue.code === 'too_big') return `It must ${measure(issue.origin, issue.maximum)} or less`
  return issue.message
}

const measure = (origin: string, bound: number | bigint) =>
  origin === 'string' ? `have ${bound} characters` : `be ${bound}`
