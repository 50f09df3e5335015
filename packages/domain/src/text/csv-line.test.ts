import { expect, it } from 'vitest'
import { csvLine } from './csv-line.ts'

it('quotes what would end a cell or a line, and leaves the rest as it is', () => {
  expect(csvLine(['Hale, Ruth', 'the "new" one', 'a\nb', 'c\rd', 'plain'])).toBe(
    '"Hale, Ruth","the ""new"" one","a\nb","c\rd",plain\r\n',
  )
})

it('leaves what is missing blank, and writes numbers as they are', () => {
  expect(csvLine([null, undefined, '', 0, -2.5])).toBe(',,,0,-2.5\r\n')
})
