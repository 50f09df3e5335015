import { describe, expect, it } from 'vitest'
import { answeredBy, isReplyOf, patientsIn } from './forwarded-reply.ts'

const letter = (numbers: readonly string[]) => `${answeredBy('High St')} ${patientsIn(numbers)} (number ending in 001)`

describe('a letter that forwards a reply', () => {
  it.each([
    [['12'], 'High St', '12', true],
    [['7', '12', '123'], 'High St', '12', true],
    [['7', '12'], 'High St', '12', true],
    [['Smith, A'], 'High St', 'Smith, A', true],
    [['123'], 'High St', '12', false],
    [['12'], 'High Street', '12', false],
    [['12'], 'High', '12', false],
    [['12'], 'Long St', '12', false],
  ])('from %j is recognised: %s, %s, %s', (numbers, pharmacy, number, is) => {
    expect(isReplyOf(letter(numbers), pharmacy, number)).toBe(is)
  })

  it('from an unknown sender belongs to nobody', () => {
    const stranger = `${answeredBy('High St')} a number that no patient of yours has`
    expect(isReplyOf(stranger, 'High St', '12')).toBe(false)
  })
})
