import { expect, it } from 'vitest'
import { z } from 'zod'
import { allThatMatch, commonOf, differSentence } from './common.ts'
import { problemsIn } from './problems.ts'

const BLANK = { name: '', type: null as string | null, active: false }

it('one record fills every field', () => {
  const one = { name: 'Flu', type: 'sms', active: true }
  expect(commonOf([one], BLANK)).toEqual({ values: one, differ: [] })
})

it('a field that differs is blank and named', () => {
  const { values, differ } = commonOf(
    [
      { name: 'Flu', type: 'sms', active: true },
      { name: 'Repeat', type: 'sms', active: true },
      { name: 'Flu', type: 'sms', active: false },
    ],
    BLANK,
  )
  expect(values).toEqual({ name: '', type: 'sms', active: false })
  expect(differ).toEqual(['name', 'active'])
})

it('the sentence names the differing fields, and is empty if there are none', () => {
  expect(differSentence('templates', ['name', 'type', 'active status'])).toBe(
    'Not all selected templates have the same name, type, or active status.',
  )
  expect(differSentence('templates', [])).toBe('')
})

it('one match is in the singular', () => {
  expect([1, 2, 1_200].map(allThatMatch)).toEqual(['the one that matches', 'all 2 that match', 'all 1,200 that match'])
})

const schema = z.object({ name: z.string().max(3), hidden: z.literal(true) })
const values = { name: 'Flu', goal: 1 }
const problems = (field: 'name' | 'goal', ...words: string[]) => words.map((one) => ({ field, words: one }))

it('a form that breaks a rule is not sent: each field has its first problem, and the sentence has all', () => {
  const check = () => [...problems('name', 'enter a name', 'enter another name'), ...problems('goal', 'enter a goal')]
  expect(problemsIn(values, check, schema, {})).toEqual({
    errors: { name: 'Enter a name', goal: 'Enter a goal' },
    sentence: 'Please enter a name, enter another name, and enter a goal.',
  })
  expect(problemsIn(values, () => problems('goal', 'enter a goal'), schema, {})?.errors).toEqual({
    goal: 'Enter a goal',
  })
})

it('nor is one that breaks only the contract: its fields have the words, and the sentence has what has no field', () => {
  const found = (input: object) => problemsIn(values, () => [], schema, { name: 'Flu', hidden: true, ...input })
  expect(found({})).toBeNull()
  expect(found({ name: 'Winter' })).toEqual({ errors: { name: expect.any(String) }, sentence: null })
  expect(found({ hidden: false })).toEqual({ errors: {}, sentence: expect.any(String) })
})
