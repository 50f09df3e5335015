import { expect, test } from 'vitest'
import { schemeOf } from './scheme.ts'

test('the person’s choice takes precedence; without one the machine decides', () => {
  expect(schemeOf('system', true)).toBe('dark')
  expect(schemeOf('system', false)).toBe('light')
  expect(schemeOf('light', true)).toBe('light')
  expect(schemeOf('dark', false)).toBe('dark')
})
