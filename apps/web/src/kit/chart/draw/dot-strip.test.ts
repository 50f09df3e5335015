import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decilesOf, stackOf, stripOf } from './dot-strip.ts'

test('deciles divide sorted values into ten equal parts; under ten values there are none', () => {
  expect(decilesOf([0, 1, 2, 3, 4, 5, 6, 7, 8])).toEqual([])
  expect(decilesOf([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100])).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90])
  // R: quantile(c(1, 2, 3, 4, 5, 6, 7, 8, 9, 20), seq(0.1, 0.9, 0.1))
  const tenths = decilesOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 20])
  for (const [index, value] of [1.9, 2.8, 3.7, 4.6, 5.5, 6.4, 7.3, 8.2, 10.1].entries()) {
    expect(tenths[index]).toBeCloseTo(value, 12)
  }
})

test('no dot covers another, and a dot with room lies on the line', () => {
  expect(stackOf([0, 20, 24, 40], 11)).toEqual([0, 0, 1, 0])
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }), (places) => {
      const xs = places.toSorted((a, b) => a - b)
      const levels = stackOf(xs, 11)
      for (const [one, level] of levels.entries()) {
        for (let other = 0; other < one; other++) {
          if (levels[other] === level) expect(xs[one]! - xs[other]!).toBeGreaterThanOrEqual(11)
        }
      }
    }),
  )
})

const strip = (count: number, marked: string | null = null) =>
  stripOf(
    {
      dots: Array.from({ length: count }, (_, index) => ({ id: String(index), label: `P${index}`, value: index * 3 })),
      ...{ lines: [{ label: 'Average', value: 12 }], marked, format: String, formatFull: String },
    },
    600,
  )

test('every dot is drawn where it can be hovered, inside the picture', () => {
  const { marks, spots, width, height } = strip(25, '24')
  const dots = marks.filter(({ kind }) => kind === 'dot')
  expect(dots).toHaveLength(25)
  for (const [index, { at, width: w, height: h }] of spots.entries()) {
    const dot = dots[index]!
    if (dot.kind !== 'dot') throw new Error('not a dot')
    expect([dot.at[0] - at[0], dot.at[1] - at[1]]).toEqual([w / 2, h / 2])
    expect(dot.at[0] - dot.radius).toBeGreaterThanOrEqual(0)
    expect(dot.at[0] + dot.radius).toBeLessThanOrEqual(width)
    expect(dot.at[1] + dot.radius).toBeLessThanOrEqual(height)
  }
})

test('the highlighted dot is named; without one no dot is highlighted', () => {
  const words = (marked: string | null) =>
    strip(12, marked).marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
  expect(words('5')).toContain('P5 15')
  expect(words(null).some((text) => text.startsWith('P'))).toBe(false)
})
