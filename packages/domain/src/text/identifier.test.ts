import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identifiersIn, isMedicareNumber, possibleNames } from './identifier.ts'

/** A card number with a valid check digit. */
const medicare = (first8: string, rest: string) => {
  const sum = [...first8].reduce((total, digit, index) => total + Number(digit) * [1, 3, 7, 9][index % 4]!, 0)
  return `${first8}${sum % 10}${rest}`
}

describe('identifiers by their shape', () => {
  it('knows Medicare numbers by their check digit', () => {
    // 2950 51473 1: the check digit calculated by hand: 2+27+35+0+5+3+28+63 = 163.
    expect(isMedicareNumber('2950514731')).toBe(true)
    expect(isMedicareNumber('2950514741')).toBe(false)
    expect(isMedicareNumber('9950514731')).toBe(false)
    expect(isMedicareNumber('295051473')).toBe(false)
  })

  it('finds every valid card number in any format', () => {
    const digits = fc.stringMatching(/^[2-6]\d{7}$/)
    fc.assert(
      fc.property(digits, fc.constantFrom('1', '11'), fc.constantFrom('', ' ', '-', ' - '), (eight, rest, gap) => {
        const number = medicare(eight, rest)
        expect(identifiersIn(`card ${[...number].join(gap)}, please`)).toEqual(['medicare'])
      }),
    )
  })

  it('finds telephone numbers and email addresses', () => {
    for (const one of [
      '0412 345 678',
      '(03) 5331-0000',
      '+61 412 345 678',
      '04-12-34-56-78',
      '０４１２３４５６７８',
      '53310000',
    ]) {
      expect([one, identifiersIn(`call ${one} now`)]).toEqual([one, ['number']])
    }
    expect(identifiersIn('write to ann.lee@mail.example.')).toEqual(['email'])
    expect(identifiersIn('ann＠mail.example, 0412345678')).toEqual(['email', 'number'])
  })

  it('ignores ages, doses, prices, years and dates', () => {
    const fine =
      'Patients 65 to 75 on 40 mg, $12.50 off from 2026-11-20 to 1/12/2026, 60 day scripts, 1300 hours, @home, 100,000'
    expect(identifiersIn(fine)).toEqual([])
  })
})

describe('possible names', () => {
  it('are two neighbouring words in either order, past an initial', () => {
    const { pairs } = possibleNames('Tell Mary A. O’Brien-Nguyen. Nice day')
    expect(pairs).toContainEqual(['mary', "o'brien-nguyen"])
    expect(pairs).toContainEqual(["o'brien-nguyen", 'mary'])
    expect(pairs).not.toContainEqual(["o'brien-nguyen", 'nice'])
    expect(possibleNames('Nguyen, Mary').pairs).toContainEqual(['mary', 'nguyen'])
  })

  it('are the words after a title', () => {
    expect(possibleNames('for Mrs. Nguyen and MR smith, farms Ltd').titled).toEqual(['nguyen', 'smith'])
  })
})
