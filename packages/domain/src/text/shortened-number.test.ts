import { expect, it } from 'vitest'
import { isShortenedNumber } from './shortened-number.ts'

it('a number with a power of ten is one that a spreadsheet has shortened; an id that looks a little like it is not', () => {
  for (const text of ['6.14916E+10', '1E+17', '1.23457e+17'])
    expect([text, isShortenedNumber(text)]).toEqual([text, true])
  for (const text of ['', '614916', 'E+10', '12.3E+10', '1.5E10', 'SM1E+10', '6.14916E+10a'])
    expect([text, isShortenedNumber(text)]).toEqual([text, false])
})
