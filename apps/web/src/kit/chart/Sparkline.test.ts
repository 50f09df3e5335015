import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { runsOf, Sparkline } from './Sparkline.tsx'

test('the lowest value is at the bottom, the highest at the top, with months evenly spaced', () => {
  expect(runsOf([0, 10, 5], 0, 10, 106, 32)).toEqual([
    [
      { x: 3, y: 29 },
      { x: 53, y: 3 },
      { x: 103, y: 16 },
    ],
  ])
})
test('a month without a value breaks the line instead of dropping it to zero', () => {
  expect(runsOf([null, 1, null, null, 2], 1, 2, 46, 32).map((run) => run.length)).toEqual([1, 1])
})
test('a flat line runs through the middle', () => {
  expect(runsOf([4, 4], 4, 4, 46, 32)[0]?.map(({ y }) => y)).toEqual([16, 16])
})
test('a month between two empty ones is visible: a line of no length, with round ends', () => {
  const drawn = renderToStaticMarkup(
    createElement(Sparkline, { values: [1, null, 2, null, 3], width: 106, label: 'Scripts' }),
  )
  expect([...drawn.matchAll(/points="([^"]*)"/g)].map(([, points]) => points)).toEqual([
    ...['3,29 3,29', '53,16 53,16', '103,3 103,3'],
  ])
})
