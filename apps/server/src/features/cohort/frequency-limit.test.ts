import { expect, it } from 'vitest'
import { roomAt } from './frequency-limit.queries.ts'
import type { Question } from './selection.queries.ts'

it('of several frequency limits the strictest at a pharmacy counts, and one of pharmacies that are not asked does not', () => {
  const limit = (messages: number, at: number[] | null) => ({ messages, hours: 24, at })
  const limits = [limit(9, null), limit(1, [3]), limit(2, [1])]
  const room = roomAt({ limits, locations: [{ id: 1 }, { id: 2 }] } as unknown as Question)
  expect([room(1)(undefined), room(1)([5, 1]), room(1)([1, 2]), room(2)([5, 1])]).toEqual([2, 1, 1, 5])
})
