import { expect, it } from 'vitest'
import { hashPassword, PASSWORD_COST } from './password.ts'

const QUEUE_MS = 14_000
const DEADLINE_MS = 9_000

it('on a slow machine, with more sign-ins than it can do, those that would miss the request’s deadline are refused in time and the rest succeed', async () => {
  const slow = { ...PASSWORD_COST, timeCost: 12 }
  const before = performance.now()
  await Promise.all([1, 2].map(() => hashPassword('three herons over Ballarat', slow)))
  const pair = performance.now() - before
  const count = 2 * Math.max(4, Math.ceil(QUEUE_MS / pair))
  const began = performance.now()
  const answers = await Promise.all(
    Array.from({ length: Math.min(count, 150) }, () =>
      hashPassword('three herons over Ballarat', slow).then(
        () => 'done',
        (refusal) => refusal.code,
      ),
    ),
  )
  expect(performance.now() - began).toBeLessThan(DEADLINE_MS + pair)
  expect([...new Set(answers)]).toEqual(['done', 'unavailable'])
  expect(await hashPassword('three herons over Ballarat')).toMatch(/^\$argon2id\$/)
}, 60_000)
