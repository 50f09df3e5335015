import { expect, it } from 'vitest'
import { z } from 'zod'
import { everyCall } from '../every-call.ts'
import { periodFields } from '../period.ts'
import { needed } from './needed.ts'
import { issueSentence } from './wording.ts'

const TEXT = 'x'.repeat(100_000)
const IDS = Array.from({ length: 20_000 }, () => '01980000-0000-7000-8000-000000000001')

/** The first thing wrong with a value, in the words of an answer. */
const issueOf = (schema: z.ZodType, value: unknown) =>
  z.safeParse(schema, value, { error: issueSentence }).error?.issues[0]

it('a text or list over its limit is not called missing, in any call', () => {
  const wrong = everyCall.flatMap(({ name, call }) =>
    Object.entries((call.input as Partial<z.ZodObject>).shape ?? {}).flatMap(([field, schema]) => {
      const missing = issueOf(schema as z.ZodType, undefined)?.message
      const over = [TEXT, IDS].map((much) => issueOf(schema as z.ZodType, much))
      return over.some((issue) => issue?.code === 'too_big' && issue.message === missing) ? [`${name} ${field}`] : []
    }),
  )
  // A link's secret that is too long was pasted wrongly, as one that is missing was.
  expect(wrong).toEqual(['session.reset reset_token'])
})

it('a missing or empty field gets its own sentence, one over its limit the limit', () => {
  const name = z.object({ name: z.string(needed('Please enter a name.')).min(1).max(3) })
  expect([{}, { name: '' }, { name: 'Jo M' }].map((value) => issueOf(name, value)?.message)).toEqual([
    'Please enter a name.',
    'Please enter a name.',
    'Name: please use at most 3 characters.',
  ])
})

it('a year has no comma, and one that is missing is asked for', () => {
  const period = z.object(periodFields)
  expect([{}, { year: 1 }, { year: 20_266 }].map((value) => issueOf(period, value)?.message)).toEqual([
    'Year: please enter a value.',
    'Year: please enter 1990 or more.',
    'Year: please enter 2100 or less.',
  ])
})
