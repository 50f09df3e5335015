import { expect, test } from 'vitest'
import { spotAt } from './Drawing.tsx'
import type { Mark } from './drawing.ts'
import { type RankedRow, rankedOf } from './ranked-bars.ts'

const bars = (rows: RankedRow[], width = 600, average: number | null = null) =>
  rankedOf(
    {
      ...{ rows, format: String, formatChange: (change: number) => `${change}%`, marked: null },
      average: average === null ? null : { label: 'Average', value: average },
    },
    width,
  )
const boxes = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'box' ? [mark] : []))
const words = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))

test('bars begin at zero and are as long as their values', () => {
  const [one, two] = boxes(
    bars([
      { id: 'a', label: 'A', value: 100 },
      { id: 'b', label: 'B', value: 25 },
    ]).marks,
  )
  expect(one!.at[0]).toBe(two!.at[0])
  expect(two!.width / one!.width).toBeCloseTo(0.25, 6)
})

test('an unknown value has no bar but a reason; one with few observations is an outline', () => {
  const { marks } = bars([
    { id: 'a', label: 'A', value: null, note: 'too few to tell' },
    { id: 'b', label: 'B', value: 7, hollow: true },
  ])
  expect(boxes(marks)).toEqual([])
  expect(words(marks)).toContain('too few to tell')
  expect(marks.filter((mark) => mark.kind === 'line' && mark.points.length === 5)).toHaveLength(1)
})

test('a change is beside its value, coloured if notable; on narrow screens they share a line', () => {
  const rows: RankedRow[] = [
    { id: 'a', label: 'A', value: 110, before: 100, change: 10, notable: true },
    { id: 'b', label: 'B', value: 98, before: 100, change: -2 },
  ]
  const colours = (marks: readonly Mark[]) =>
    marks.flatMap((mark) => (mark.kind === 'text' && mark.text.endsWith('%') ? [mark.colour] : []))
  expect(colours(bars(rows).marks)).toEqual(['--good', '--text-2'])
  expect(words(bars(rows, 280).marks)).toContain('110  10%')
  // A row without a year before has a dash where the others have their value.
  expect(words(bars([...rows, { id: 'c', label: 'C', value: 5 }]).marks)).toContain('–')
  expect(words(bars([{ id: 'c', label: 'C', value: 5 }]).marks)).not.toContain('–')
})

test('nothing extends beyond a phone’s screen', () => {
  const { marks, width } = bars(
    [{ id: 'a', label: 'A pharmacy with a very long name indeed, of Sydney', value: 5 }],
    272,
    4,
  )
  for (const mark of marks) {
    if (mark.kind === 'box') expect(mark.at[0] + mark.width).toBeLessThanOrEqual(width)
    if (mark.kind === 'text' && mark.anchor !== 'end')
      expect(mark.at[0] + mark.text.length * 6.4).toBeLessThanOrEqual(width)
  }
})

test('a position belongs to the nearest spot that contains it', () => {
  const spots = [
    { at: [0, 0], width: 10, height: 10 },
    { at: [6, 0], width: 10, height: 10 },
  ] as const
  expect([spotAt(spots, 7, 5), spotAt(spots, 9, 5), spotAt(spots, 20, 5)]).toEqual([0, 1, null])
})

test('a target is marked at the value due by now, and the scale has room for it', () => {
  const target = { whole: 400, byNow: 200, words: '100 behind the pace needed' }
  const rows: RankedRow[] = [{ id: 'a', label: 'A', value: 100, target }]
  const { marks } = bars(rows)
  const [box] = boxes(marks)
  const tick = marks.find((mark) => mark.kind === 'line' && mark.width === 2.5)
  if (tick?.kind !== 'line' || !box) throw new Error('not marked')
  expect(tick.points[0]![0] - box.at[0]).toBeCloseTo(2 * box.width, 6)
  const unknown = bars([{ ...rows[0]!, target: { ...target, byNow: null } }])
  expect(unknown.marks.some((mark) => mark.kind === 'line' && mark.width === 2.5)).toBe(false)
})
