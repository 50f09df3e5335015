import { expect, it } from 'vitest'
import { everyCompany, getsWords } from './company-words.ts'

it('one company is not called all 1 companies', () => {
  expect([undefined, 1, 12].map(everyCompany)).toEqual(['every company', 'the only company', 'all 12 companies'])
})

it('the number of recipients agrees with its verb', () => {
  expect(getsWords(1, 1)).toBe('The only company gets it.')
  expect(getsWords(1, 12)).toBe('1 of 12 companies gets it.')
  expect(getsWords(3, 12)).toBe('3 of 12 companies get it.')
  expect(getsWords(12, 12)).toBe('Each of the 12 companies gets it.')
})
