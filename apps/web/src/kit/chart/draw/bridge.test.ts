import { expect, test } from 'vitest'
import { beginOf, bridgeOf, stepsOfBridge } from './bridge.ts'

const bridge = {
  from: { label: 'Before', value: 1000 },
  parts: [
    { label: 'Volume', value: 60 },
    { label: 'Price', value: -20 },
    { label: 'Mix', value: 10 },
  ],
  to: { label: 'Now', value: 1050 },
}

test('each part begins where the previous one ended, and the last ends at the whole', () => {
  const steps = stepsOfBridge(bridge)
  expect(steps.map(({ begin, end }) => [begin, end])).toEqual([
    [0, 1000],
    [1000, 1060],
    [1060, 1040],
    [1040, 1050],
    [0, 1050],
  ])
})

test('an axis that does not begin at zero says so, and begins below everything shown', () => {
  const words = { format: String, formatPart: String }
  const begin = beginOf(bridge)
  expect(begin).toBeGreaterThan(0)
  expect(begin).toBeLessThan(1000)
  const said = bridgeOf(bridge, words, 600).marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
  expect(said).toContain(`The axis begins at ${begin}`)
  const grown = { ...bridge, from: { label: 'Before', value: 100 }, parts: [{ label: 'Volume', value: 950 }] }
  expect(beginOf(grown)).toBe(0)
})

test('parts keep their relative lengths, and their colour shows a loss or a gain', () => {
  const boxes = bridgeOf(bridge, { format: String, formatPart: String }, 600).marks.flatMap((mark) =>
    mark.kind === 'box' ? [mark] : [],
  )
  expect(boxes).toHaveLength(5)
  expect(boxes[1]!.width / boxes[2]!.width).toBeCloseTo(3, 6)
  expect([boxes[1]!.colour, boxes[2]!.colour]).toEqual(['--good-fill', '--bad-fill'])
})
