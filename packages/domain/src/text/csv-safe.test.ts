import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeCell, safeText } from './csv-safe.ts'

test.each(['=1+1', '+61', '-5', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\u0000=1', '＝1', '＋1', '－1', '＠x'])(
  '%j is neutralised',
  (text) => {
    expect(safeText(text)).toBe(`'${text}`)
  },
)

test.each(['Saltbush Pharmacy', '', ' =1', "'=1", '1-2', 'a=b', '−5'])('%j stays', (text) => {
  expect(safeText(text)).toBe(text)
})

test('numbers stay numbers, null stays empty', () => {
  expect(safeCell(-5.25)).toBe(-5.25)
  expect(safeCell(0)).toBe(0)
  expect([safeCell(null), safeCell(undefined)]).toEqual(['', ''])
  expect(safeCell('-5.25')).toBe("'-5.25")
})

test('property: no cell starts a formula, and no text is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const safe = safeText(text)
      expect(/^[=+\-@\t\r\n\0＝＋－＠]/.test(safe)).toBe(false)
      expect(safe === text || safe === `'${text}`).toBe(true)
    }),
  )
})
