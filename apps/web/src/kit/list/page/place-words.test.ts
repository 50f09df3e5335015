import { expect, test } from 'vitest'
import { placeWords } from '../Pager.tsx'

test('a page names its own rows: the last one ends with the last row', () => {
  const words = (page: number, total: number) => placeWords('AU', { page, perPage: 20, total })
  expect([words(1, 44), words(2, 44), words(3, 44)]).toEqual(['1–20 of 44', '21–40 of 44', '41–44 of 44'])
  expect([words(1, 7), words(1, 0), words(100, 2000)]).toEqual(['1–7 of 7', '0 of 0', '1,981–2,000 of 2,000'])
})
