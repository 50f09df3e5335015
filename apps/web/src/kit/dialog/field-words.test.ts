import { expect, test } from 'vitest'
import { choicesWords, choiceWords, plainWords } from './field-words.ts'

const options = [
  { value: '', label: 'Nobody' },
  { value: 'u1', label: 'Jo Marsh' },
  { value: 'u2', label: 'Ada Hill' },
]

test('a choice is shown by its label or the name that came with it, never by its id', () => {
  expect(choiceWords('u1', options, {})).toBe('Jo Marsh')
  expect(choiceWords('', options, {})).toBe('Nobody')
  expect(choiceWords('', [], {})).toBe('–')
  expect(choiceWords('u3', options, { u3: 'Sam Second' })).toBe('Sam Second')
  expect(choiceWords('01980000-0000-7000-8000-000000000002', options, {})).toBe('Not in the list any more')
})

test('several choices are named in alphabetical order', () => {
  expect(choicesWords(['u1', 'u2'], options, {})).toBe('Ada Hill, Jo Marsh')
  expect(choicesWords(['u2', 'u1'], options, {})).toBe('Ada Hill, Jo Marsh')
  expect(choicesWords([], options, {})).toBe('–')
})

test.each([
  [true, 'Yes'],
  ['', '–'],
  [Number.NaN, '–'],
  [12.5, '12.5'],
  ['text', 'text'],
])('%s is shown as %s', (value, words) => expect(plainWords(value)).toBe(words))
