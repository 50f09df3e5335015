import { expect, test } from 'vitest'
import { isSameName, namesPerson, saysWhy } from './reason.ts'

test('a reason must contain letters or digits, of any script', () => {
  for (const reason of ['Ticket 1182', '118', 'Ärztin', '苦情の件', ' abc '])
    expect([reason, saysWhy(reason)]).toEqual([reason, true])
  for (const empty of ['', '   ', 'ab', '...', '-----', '\u200b\u200b\u200b', '\u2060x\u2060', '🏥🏥🏥'])
    expect([empty, saysWhy(empty)]).toEqual([empty, false])
})

test('a reason names a person by any known word, except those of two letters', () => {
  expect(namesPerson('Ms MORAN wrote to us', ['Moran', null])).toBe(true)
  expect(namesPerson('Asked in writing', ['Moran', 'Li', null, '', 'in'])).toBe(false)
  expect(namesPerson('Asked about (0412 345 678), twice', ['0412 345 678'])).toBe(true)
  expect(namesPerson('The Morans’ letter of the 3rd', ['Moran'])).toBe(true)
})

test('a number inside a longer one names nobody', () => {
  expect(namesPerson('Ticket 118234', ['182'])).toBe(false)
  expect(namesPerson('Ticket 118234', ['234'])).toBe(false)
  expect(namesPerson('Ticket 118234', ['118234'])).toBe(true)
  expect(namesPerson('Ticket 118234 of 182', ['182'])).toBe(true)
  expect(namesPerson('Patient PT-90417.', ['PT-90417'])).toBe(true)
  expect(namesPerson('tel0412345678', ['0412345678'])).toBe(true)
  expect(namesPerson('Patient PT-904172', ['PT-90417'])).toBe(false)
})

test('a last name matches in any case, and a missing one matches nobody', () => {
  expect([isSameName('Moran', ' MORAN '), isSameName('Moran', 'Morane'), isSameName(null, 'Moran')]).toEqual([
    ...[true, false, false],
  ])
})
