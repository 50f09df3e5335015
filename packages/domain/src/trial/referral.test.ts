import { expect, test } from 'vitest'
import { searchWords } from './referral.ts'

test('a phone number is searched as one word, however it is written; other words one by one', () => {
  const same: [string, string[]][] = [
    ['400000123', ['0400 000 123', '0400000123', '+61 400 000 123', '+61400000123', '+61 (0)400 000 123']],
    ['255504471', ['(02) 5550 4471', '+61 2 5550 4471']],
    ['7700900123', ['07700 900 123', '+44 7700 900 123']],
    ['6175550123', ['(617) 555-0123', '617.555.0123', '+1 617-555-0123']],
    ['61400000123', ['61400000123']],
  ]
  for (const [word, written] of same)
    for (const term of written) expect([term, searchWords(term)]).toEqual([term, [word]])
  expect(searchWords(' Margaret  MORAN ')).toEqual(['margaret', 'moran'])
  expect(searchWords('2000 heart')).toEqual(['2000', 'heart'])
  for (const zip of ['02139-1234', '2000', '02139']) expect(searchWords(zip)).toEqual([zip])
  expect(searchWords('  ')).toEqual([])
})
