import { contract } from '@pillar/contract'
import { expect, test } from 'vitest'
import { RefusedError } from '../shared/refused.ts'
import { mayRetry, nameOf, pathOf } from './client.ts'

test('a call is cached under its place in the contract', () => {
  expect(nameOf(contract.financials.stats)).toBe('financials.stats')
  expect(() => nameOf({ ...contract.financials.stats })).toThrow(/outside the contract/)
})
test('parts of a path are filled and escaped', () => {
  expect(pathOf('/api/campaign/{id}/info/enterprise', { id: 'a/b' })).toBe('/api/campaign/a%2Fb/info/enterprise')
})
test('only a missing answer or a server in between is asked once more', () => {
  expect(mayRetry(0, new RefusedError(0, ''))).toBe(true)
  expect(mayRetry(0, new RefusedError(503, ''))).toBe(true)
  expect(mayRetry(1, new RefusedError(503, ''))).toBe(false)
  expect(mayRetry(0, new RefusedError(422, ''))).toBe(false)
  expect(mayRetry(0, new RefusedError(500, ''))).toBe(false)
  expect(mayRetry(0, new Error('bug'))).toBe(false)
})
