import { expect, test } from 'vitest'
import { uploadLimit } from './upload-limit.ts'

const MB = 1024 ** 2
const limits = { dayCount: 3, dayBytes: 10 * MB, waiting: 2, freeBytes: 100 * MB }
const none = { count: 0, bytes: 0, waiting: 0, own: 0, free: 500 * MB }
const limitOf = (use: Partial<typeof none>) => uploadLimit({ ...none, ...use }, limits)?.limit ?? null

test('an upload is accepted up to each limit and not beyond', () => {
  expect(limitOf({ count: 2, waiting: 1, bytes: 4 * MB, own: 6 * MB, free: 100 * MB })).toBeNull()
  expect(limitOf({ free: 100 * MB - 1 })).toBe('space')
  expect(limitOf({ own: 10 * MB })).toBeNull()
  expect(limitOf({ own: 10 * MB + 1 })).toBe('size')
  expect(limitOf({ waiting: 2 })).toBe('waiting')
  expect(limitOf({ count: 3 })).toBe('day')
  expect(limitOf({ bytes: 4 * MB, own: 6 * MB + 1 })).toBe('day')
})

test('each sentence says what to do', () => {
  const sentence = (use: Partial<typeof none>) => uploadLimit({ ...none, ...use }, limits)?.sentence
  expect(sentence({ free: 0 })).toContain('Send this upload again later')
  expect(sentence({ own: 11 * MB })).toContain('larger than the 10 MB')
  expect(sentence({ waiting: 2 })).toBe(
    '2 uploads of this pharmacy already wait to be loaded. Send this one again when they are.',
  )
  expect(sentence({ count: 3 })).toContain('Send this one tomorrow')
  expect(sentence({ bytes: 10 * MB, own: 1 })).toContain('Send the rest tomorrow')
})
