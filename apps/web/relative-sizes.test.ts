import { expect, test } from 'vitest'
import { relative } from './relative-sizes.ts'

test('pixels follow the reader’s font size, and hairlines stay thin', () => {
  expect(relative('400 14px / 20px var(--font)', 'rem')).toBe('400 0.875rem / 1.25rem var(--font)')
  expect(relative('0 0 0 1px var(--line), inset 0 -2px 0 12.5px', 'rem')).toBe(
    '0 0 0 1px var(--line), inset 0 -2px 0 0.78125rem',
  )
  expect(relative('-4px -4px 4px', 'rem')).toBe('-0.25rem -0.25rem 0.25rem')
  expect(relative('calc(100% - 15px)', 'rem')).toBe('calc(100% - 0.9375rem)')
  expect(relative('(max-width: 1023px)', 'em')).toBe('(max-width: 63.9375em)')
})

test('values that only look like sizes stay unchanged', () => {
  expect(relative('var(--s4px) 1.5rem 50%', 'rem')).toBe('var(--s4px) 1.5rem 50%')
})
