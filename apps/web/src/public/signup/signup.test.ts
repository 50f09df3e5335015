import { contract } from '@pillar/contract'
import { expect, test } from 'vitest'
import { linkToken, SIGNUP_PATHS } from './signup-calls.ts'

test('the paths of the sign-up page match the contract', () => {
  const paths = Object.entries(contract.signup).map(([name, call]) => [name, call.path])
  expect(SIGNUP_PATHS).toEqual(Object.fromEntries(paths))
})

test.each([
  ['/calculator', null],
  ['/en_gb/calculator/', null],
  ['/calculator/abc', 'abc'],
  ['/calculator/a%2Fb/', 'a/b'],
  ['/calculator/%E0%A4%A', '%E0%A4%A'],
])('%s', (path, token) => {
  expect(linkToken(path)).toBe(token)
})
