import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetDraft, keepDraft, readDraft } from './account-draft.ts'

const kept = new Map<string, string>()
const mine = { username: 'ada', company: 'wattle' }

beforeEach(() => {
  kept.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a selection for one company is found again, but only by the same person', () => {
  keepDraft(mine, 'users', ['a', 'b'])
  keepDraft(mine, 'notifications', [])
  expect(readDraft(mine, 'users')).toEqual(['a', 'b'])
  expect(readDraft(mine, 'notifications')).toEqual([])
  expect(readDraft(mine, 'locations')).toBeNull()
  expect(readDraft({ ...mine, username: 'grace' }, 'users')).toBeNull()
  expect(readDraft({ ...mine, company: 'banksia' }, 'users')).toBeNull()
})

test('a finished account leaves nothing behind, and no other account is touched', () => {
  const other = { ...mine, company: 'banksia' }
  keepDraft(mine, 'users', ['a'])
  keepDraft(mine, 'notifications', ['a b'])
  keepDraft(other, 'users', ['c'])
  forgetDraft(mine)
  expect([...kept.values()]).toEqual(['["c"]'])
})

test('unreadable data and blocked storage select nothing', () => {
  keepDraft(mine, 'users', ['a'])
  for (const key of kept.keys()) kept.set(key, '{"a":1}')
  expect(readDraft(mine, 'users')).toBeNull()
  const blocked = () => {
    throw new Error('blocked')
  }
  vi.stubGlobal('sessionStorage', { getItem: blocked, setItem: blocked, removeItem: blocked })
  expect(() => keepDraft(mine, 'users', ['a'])).not.toThrow()
  expect(readDraft(mine, 'users')).toBeNull()
})
