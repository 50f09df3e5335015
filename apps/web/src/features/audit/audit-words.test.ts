import { expect, test } from 'vitest'
import { wholeWords } from './audit-words.ts'

test('verified chains are counted with singular and plural', () => {
  expect(wholeWords({ rows: 1, chains: 1, anchors: 1 }, 'AU')).toBe(
    '1 entry in 1 chain is whole and matches 1 anchor outside the database.',
  )
  expect(wholeWords({ rows: 2200, chains: 1, anchors: 12 }, 'AU')).toBe(
    '2,200 entries in 1 chain are whole and match 12 anchors outside the database.',
  )
  expect(wholeWords({ rows: 2, chains: 2, anchors: 0 }, 'AU')).toBe(
    '2 entries in 2 chains are whole. No anchor outside the database yet.',
  )
})
