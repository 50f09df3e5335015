import { expect, it } from 'vitest'
import { allThatMatch, commonOf, differSentence } from './common.ts'

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
