import { expect, test } from 'vitest'
import { saysWhy } from './reason.ts'

test('a reason says something: letters or digits, of any script', () => {
  for (const reason of ['Ticket 1182', '118', 'Ärztin', '苦情の件', ' abc '])
    expect([reason, saysWhy(reason)]).toEqual([reason, true])
  for (const empty of ['', '   ', 'ab', '...', '-----', '\u200b\u200b\u200b', '\u2060x\u2060', '🏥🏥🏥'])
    expect([empty, saysWhy(empty)]).toEqual([empty, false])
})
