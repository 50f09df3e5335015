import { expect, test } from 'vitest'
import { intervalWords, reasonSentence, reasonWords } from './result-words.ts'

test('an interval is in money, and may be chance if it includes zero', () => {
  expect(intervalWords('AU', 2100.4, 9060)).toBe('between $2,100 and $9,060')
  expect(intervalWords('AU', -400, 1200)).toBe('between −$400 and $1,200: no clear effect, it could be chance')
  expect(intervalWords('AU', 0.83, 7.57, 2)).toBe('between $0.83 and $7.57')
})

test('a missing result has its reason', () => {
  expect([reasonWords('too_few'), reasonWords('not_started'), reasonWords(null)]).toEqual([
    ...['Too few to tell', 'Not started', ''],
  ])
  expect(reasonSentence('AU', 'too_few', 22)).toBe('22 patients messaged; results need 100')
  expect(reasonSentence('AU', 'too_few', 1)).toBe('1 patient messaged; results need 100')
  expect(reasonSentence('AU', 'no_data', 500)).toBe('No sales data for the days after the messages yet')
})
