import { expect, test } from 'vitest'
import { type AttentionFacts, attentionOf } from './pharmacy-attention.ts'

const FINE: AttentionFacts = {
  ...{ failed: null, dataTo: '2026-11-21', late: false, types: [], overdueCounts: null, repeatsDue: 0 },
}
const type = (name: string, before: number | null, now: number | null, n = 40) => ({
  ...{ name, now: { value: now, n }, before: { value: before, n } },
})
const kinds = (facts: Partial<AttentionFacts>) => attentionOf({ ...FINE, ...facts }).map(({ kind }) => kind)

test('a pharmacy in order needs no attention', () => {
  expect(attentionOf(FINE)).toEqual([])
})

test('the worst comes first', () => {
  const all = { late: true, types: [type('Diabetes', 0.6, 0.5)], overdueCounts: 2, repeatsDue: 38 }
  expect(kinds(all)).toEqual(['upload_late', 'adherence_fell', 'counts_overdue', 'repeats_due'])
})

test('a failed upload replaces the late data it caused, and gives the reason', () => {
  const failed = { day: '2026-11-20', note: 'scripts.csv holds no row' }
  expect(attentionOf({ ...FINE, late: true, failed })).toEqual([
    expect.objectContaining({ kind: 'upload_failed', ...failed }),
  ])
  expect(kinds({ dataTo: null, late: true })).toEqual(['never_uploaded'])
})

test('adherence is reported from a fall of 3 points among 30 patients, for the two steepest falls', () => {
  const types = [
    ...[type('A', 0.6, 0.571), type('B', 0.6, 0.57), type('C', 0.6, 0.5), type('D', 0.6, 0.4)],
    ...[type('E', 0.9, 0.1, 29), type('F', null, 0.1), type('G', 0.4, 0.6)],
  ]
  expect(attentionOf({ ...FINE, types }).map(({ name, from, to }) => [name, from, to])).toEqual([
    ['D', 0.6, 0.4],
    ['C', 0.6, 0.5],
  ])
  expect(kinds({ types: [type('A', 0.6, 0.571)] })).toEqual([])
  expect(kinds({ types: [type('B', 0.6, 0.57)] })).toEqual(['adherence_fell'])
  const few = type('H', 0.9, 0.1)
  expect(kinds({ types: [{ ...few, before: { ...few.before, n: 29 } }] })).toEqual([])
})

test('registers and repeats are left out if there are none, or the reader may not see them', () => {
  expect(kinds({ overdueCounts: 0, repeatsDue: 0 })).toEqual([])
})
