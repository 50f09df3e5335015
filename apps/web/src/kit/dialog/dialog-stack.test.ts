import { expect, test } from 'vitest'
import { coverOf } from './dialog-stack.ts'

const campaigns = { id: 'campaigns', wide: true }
const form = { id: 'form', wide: true }
const confirm = { id: 'confirm', wide: false }

test('the topmost is covered by nothing, and one that is not open neither', () => {
  expect(coverOf([campaigns, form], 'form')).toBe('none')
  expect(coverOf([campaigns], 'form')).toBe('none')
})

test('a small dialog leaves the one below in view, a wide one takes its place', () => {
  expect(coverOf([campaigns, confirm], 'campaigns')).toBe('small')
  expect(coverOf([campaigns, form, confirm], 'campaigns')).toBe('wide')
  expect(coverOf([campaigns, form, confirm], 'form')).toBe('small')
})
