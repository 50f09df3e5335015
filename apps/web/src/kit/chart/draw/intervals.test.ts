import { expect, test } from 'vitest'
import { type IntervalRow, intervalsOf, isHollow } from './intervals.ts'

const row = (label: string, found: IntervalRow['found'], more: Partial<IntervalRow> = {}): IntervalRow => ({
  ...{ label, counts: [300, 150] as const, found },
  ...more,
})
const ROWS = [
  row('All patients', { value: 4, low: 1, high: 7 }, { whole: true }),
  row('Women', { value: 2, low: -1, high: 5 }),
  row('Men', null),
]
const draw = (width: number) =>
  intervalsOf(
    {
      rows: ROWS,
      heads: ['Patients', 'Messaged', 'Held out', 'Per patient'],
      few: 'Too few to tell',
      ...{ formatCount: String, format: (value) => `$${value}`, formatFull: (value) => `$${value}.00` },
    },
    width,
  )

test('an interval is hollow if it includes zero, even at an end', () => {
  expect([isHollow({ low: -1, high: 1 }), isHollow({ low: 0, high: 3 }), isHollow({ low: 0.1, high: 3 })]).toEqual([
    true,
    true,
    false,
  ])
})

for (const width of [272, 640])
  test(`intervals share one scale, and too few are given in words, ${width} px wide`, () => {
    const { marks, spots, height } = draw(width)
    const boxes = marks.filter((mark) => mark.kind === 'box')
    const dots = marks.filter((mark) => mark.kind === 'dot')
    expect(boxes).toHaveLength(2)
    // Both are six dollars wide.
    expect(boxes[0]!.width).toBeCloseTo(boxes[1]!.width, 9)
    expect(dots.map(({ hollow }) => hollow)).toEqual([false, true])
    const zero = marks.find((mark) => mark.kind === 'line' && mark.colour === '--line-strong')
    expect(zero?.kind === 'line' && zero.points[0]![0] - boxes[1]!.at[0]).toBeCloseTo(boxes[0]!.width / 6, 9)
    const words = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
    expect(words).toEqual(expect.arrayContaining(['Too few to tell', '$4.00', '$2.00', '–']))
    expect(words).toContain(width < 480 ? 'Men (300, 150)' : 'Men')
    expect(spots).toHaveLength(3)
    for (const mark of marks) if (mark.kind === 'box') expect(mark.at[0] + mark.width).toBeLessThanOrEqual(width)
    expect(spots.every(({ at, height: tall }) => at[1] + tall <= height)).toBe(true)
  })
