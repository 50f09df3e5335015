import { expect, test } from 'vitest'
import { capital, counted, listOf, pleaseSentence } from './sentence.ts'

test('missing fields become one sentence', () => {
  expect(pleaseSentence([])).toBe('')
  expect(pleaseSentence(['enter a template name'])).toBe('Please enter a template name.')
  expect(pleaseSentence(['enter a template name', 'enter a message body'])).toBe(
    'Please enter a template name and enter a message body.',
  )
  expect(
    pleaseSentence([
      'enter a template name',
      'select at least one template type',
      'enter a message body',
      'include {Pharmacy Name} in the message body',
    ]),
  ).toBe(
    'Please enter a template name, select at least one template type, enter a message body, and include {Pharmacy Name} in the message body.',
  )
})

test('lists and counts', () => {
  expect([capital('not received'), capital('')]).toEqual(['Not received', ''])
  expect(listOf(['a', 'b', 'c'], 'or')).toBe('a, b, or c')
  expect([counted(1, 'pharmacy', 'pharmacies'), counted(0, 'pharmacy', 'pharmacies')]).toEqual([
    '1 pharmacy',
    '0 pharmacies',
  ])
})
