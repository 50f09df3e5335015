import { expect, test } from 'vitest'
import { hasMarker } from './marker.ts'

test.each([
  ['pillar_signed_in=1', true],
  ['a=b; pillar_signed_in=1; c=d', true],
  ['not_pillar_signed_in=1', false],
  ['pillar_signed_in=', false],
  ['', false],
])('marker in %j: %s', (cookies, there) => {
  expect(hasMarker(cookies)).toBe(there)
})
