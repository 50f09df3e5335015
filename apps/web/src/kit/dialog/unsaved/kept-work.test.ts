import { beforeEach, expect, it, vi } from 'vitest'
import { keepTyped, takeTyped } from './kept-work.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})

it('returns what was typed once, only to its owner, and never a password or a file', () => {
  const typed = { name: 'Winter', tags: ['a'], password: 'secret', newPassword: 'secret', logo: new Blob(['x']) }
  keepTyped('helen /campaign', typed)
  expect(takeTyped('rhys /campaign')).toBeNull()
  expect(takeTyped('helen /campaign')).toEqual({ name: 'Winter', tags: ['a'] })
  expect(takeTyped('helen /campaign')).toBeNull()
})

it('returns nothing for unreadable data or blocked storage', () => {
  sessionStorage.setItem('pillar_typed helen', '[1]')
  expect(takeTyped('helen')).toBeNull()
  sessionStorage.setItem('pillar_typed helen', '{')
  expect(takeTyped('helen')).toBeNull()
  vi.stubGlobal('sessionStorage', undefined)
  keepTyped('helen', { name: 'Winter' })
  expect(takeTyped('helen')).toBeNull()
})
