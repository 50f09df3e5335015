import { capital, listOf } from '@pillar/domain/text/sentence'
import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue

const digits = (count: unknown) => Number(count).toLocaleString('en-AU')
/** A limit of a number; a year has no comma. */
const limit = (count: unknown, { path }: Issue) => (path?.at(-1) === 'year' ? String(count) : digits(count))
/** zod's default limit for whole numbers, which nobody set on purpose. */
const ENDLESS = Number.MAX_SAFE_INTEGER

/** '3 characters', '1 character'. */
const some = (count: unknown, one: string, many: string) => `${digits(count)} ${Number(count) === 1 ? one : many}`

const missing = (issue: Issue) => issue.input === undefined || issue.input === null

/** What to enter instead of a value of the wrong type. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'please enter text',
  number: 'please enter a number',
  int: 'please enter a whole number',
  boolean: 'please choose yes or no',
  array: 'please send a list',
  tuple: 'please send a list',
  object: 'please send an object with fields',
  record: 'please send an object with fields',
  date: 'please enter a date such as 2026-11-20',
}

/** What to enter instead of text in the wrong format. */
const FORMS: Readonly<Record<string, string>> = {
  uuid: 'please send a valid id',
  date: 'please enter a date such as 2026-11-20',
  datetime: 'please enter a date and time such as 2026-11-20T09:00:00Z',
  email: 'please enter a valid email address',
  url: 'please enter a full web address',
}

function atMost(issue: Issue): string {
  const { maximum, origin } = issue
  if (origin === 'string') return `please use at most ${some(maximum, 'character', 'characters')}`
  if (origin === 'array') return `please select at most ${digits(maximum)}`
  return Number(maximum) >= ENDLESS ? 'please enter a smaller number' : `please enter ${limit(maximum, issue)} or less`
}

function atLeast(issue: Issue): string {
  const { minimum, origin } = issue
  if (origin === 'string')
    return Number(minimum) <= 1
      ? 'please enter a value'
      : `please use at least ${some(minimum, 'character', 'characters')}`
  if (origin === 'array') return `please select at least ${Number(minimum) <= 1 ? 'one' : digits(minimum)}`
  return Number(minimum) <= -ENDLESS ? 'please enter a larger number' : `please enter ${limit(minimum, issue)} or more`
}

/** One sentence for each zod error code. */
const WORDINGS: Readonly<Record<string, (issue: Issue) => string>> = {
  invalid_type: (issue) =>
    missing(issue) ? 'please enter a value' : (KINDS[String(issue.expected)] ?? 'please enter a valid value'),
  too_big: atMost,
  too_small: atLeast,
  invalid_format: ({ format }) => FORMS[String(format)] ?? 'please enter a valid value',
  not_multiple_of: () => 'please enter a whole number',
  // A value that fits none of several kinds: a date may be a day or an instant.
  invalid_union: ({ errors, input }) => {
    if (input === undefined || input === null) return 'please enter a value'
    const issue = (errors as Issue[][]).flat().find(({ code }) => code === 'invalid_format')
    return FORMS[String(issue?.format)] ?? 'please enter a valid value'
  },
  unrecognized_keys: () => 'please leave out unknown fields',
  invalid_value: ({ values }) =>
    Array.isArray(values) && values.length > 0 && values.length <= 12
      ? `please choose ${listOf(values.map(String), 'or')}`
      : 'please choose a value from the list',
}

/** 'company_name' → 'Company name'; the index in a list is left out. */
function nameOf(path: readonly PropertyKey[] | undefined): string {
  const field = (path ?? []).filter((part) => typeof part === 'string').at(-1)
  if (field === undefined) return 'Request'
  const words = String(field).replaceAll('_', ' ').trim()
  return words === '' ? 'Request' : capital(words)
}

/** What is wrong with a field, as a sentence that says what to do; never zod's own message. */
export function issueSentence(issue: Issue): string {
  return `${nameOf(issue.path)}: ${WORDINGS[String(issue.code)]?.(issue) ?? 'please enter a valid value'}.`
}
