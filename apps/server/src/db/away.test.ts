import pg from 'pg'
import { expect, it } from 'vitest'
import { isLost } from './away.ts'

const failed = (code: string, message: string) =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code })

it('a worker that goes away behind the coordinator is a lost connection; any other inner error is not', () => {
  expect(isLost(failed('08006', 'connection to the remote node failed'))).toBe(true)
  expect(isLost(failed('XX000', 'failure on connection marked as essential: 10.0.0.21:5432'))).toBe(true)
  expect(isLost(failed('XX000', 'terminating connection due to unexpected postmaster exit'))).toBe(true)
  expect(isLost(failed('XX000', 'cache lookup failed for type 16385'))).toBe(false)
  expect(isLost(failed('23505', 'failure on connection marked as essential: 10.0.0.21:5432'))).toBe(false)
})
