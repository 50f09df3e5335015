import { expect, test } from 'vitest'
import { importProblem } from './pharmacy-import.ts'

test('a pharmacy with work in progress cannot be imported', () => {
  const free = { name: 'Sturt', loading: 0, inFlight: 0, writing: [] }
  expect(importProblem(free)).toBe('')
  expect(importProblem({ ...free, inFlight: 1 })).toBe(
    'Sturt was not imported: 1 message is being handed over. Please try again in a few minutes.',
  )
  expect(importProblem({ ...free, loading: 1 })).toBe(
    'Sturt was not imported: 1 upload is being loaded. Please try again in a few minutes.',
  )
  expect(importProblem({ ...free, loading: 2, writing: ['Winter'] })).toBe(
    'Sturt was not imported: 2 uploads are being loaded and the messages of Winter are being written. Please try again in a few minutes.',
  )
})
