import { describe, expect, it } from 'vitest'
import { moveIn } from './move.ts'

describe('arrows in a list', () => {
  it.each([
    ['ArrowDown', 0, 3, 1],
    ['ArrowDown', 2, 3, 0],
    ['ArrowUp', 0, 3, 2],
    ['ArrowUp', 2, 3, 1],
    ['ArrowDown', 0, 0, null],
    // These keys move within the typed text.
    ['Home', 1, 3, null],
    ['a', 1, 3, null],
  ])('%s from %i of %i leads to %s', (key, at, count, next) => {
    expect(moveIn(key, at, count)).toBe(next)
  })
})
