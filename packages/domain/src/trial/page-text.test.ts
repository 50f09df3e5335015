import { expect, it } from 'vitest'
import { itemsOf, paragraphsOf } from './page-text.ts'

it('splits a text at line breaks of any kind, and drops empty lines', () => {
  expect(paragraphsOf('One\r\n\r\n Two \nThree\rFour')).toEqual(['One', 'Two', 'Three', 'Four'])
  expect(paragraphsOf(' \n ')).toEqual([])
})

it('removes the leading dash from an item, once, but no minus sign or dash inside', () => {
  expect(itemsOf('- aged 70 or older\n-on a low dose\n– well-known\n• dot\nplain - text\n-\n-5 °C or less')).toEqual([
    ...['aged 70 or older', 'on a low dose', 'well-known', 'dot', 'plain - text'],
    '-5 °C or less',
  ])
  expect(itemsOf('- - twice')).toEqual(['- twice'])
})
