import { expect, test } from 'vitest'
import { isSameName, namesPerson, saysWhy } from './reason.ts'

test('a reason says something: letters or digits, of any script', () => {
  for (const reason of ['Ticket 1182', '118', 'Ärztin', '苦情の件', ' abc '])
    expect([reason, saysWhy(reason)]).toEqual([reason, true])
  for (const empty of ['', '   ', 'ab', '...', '-----', '\u200b\u200b\u200b', '\u2060x\u2060', '🏥🏥🏥'])
    expect([empty, saysWhy(empty)]).toEqual([empty, false])
})

test('a reason names a person by any word known of them, but for those of two letters', () => {
  expect(namesPerson('Ms MORAN wrote to us', ['Moran', null])).toBe(true)
  expect(namesPerson('Asked in writing', ['Moran', 'Li', null, '', 'in'])).toBe(false)
})

test('a last name is the same in any case, and a missing one is nobody’s', () => {
  expect([isSameName('Moran', ' MORAN '), isSameName('Moran', 'Morane'), isSameName(null, 'Moran')]).toEqual([
    ...[true, false, false],
  ])
})
