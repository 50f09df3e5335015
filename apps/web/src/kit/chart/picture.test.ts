import { expect, test } from 'vitest'
import { linesOf } from './picture.ts'

test('the words of a saved chart wrap if they do not fit', () => {
  const fits = (line: string) => line.length <= 12
  expect(linesOf('Five pharmacies bring most', fits)).toEqual(['Five', 'pharmacies', 'bring most'])
  expect(linesOf('Antihypertensives lead', fits)).toEqual(['Antihypertensives', 'lead'])
  expect(linesOf('', fits)).toEqual([''])
})
