import { expect, test, vi } from 'vitest'
import { newId } from './new-id.ts'

test('ids need no function that browsers reserve for https', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  const made = Array.from({ length: 100 }, newId)
  expect(new Set(made).size).toBe(100)
  for (const id of made) expect(id).toMatch(/^[\da-f]{32}$/)
  vi.unstubAllGlobals()
})
