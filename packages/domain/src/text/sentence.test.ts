import { expect, test } from 'vitest'
import { capital, counted, firstOf, isolated, joined, listOf, pleaseSentence } from './sentence.ts'

test('missing fields become one sentence', () => {
  expect(pleaseSentence([])).toBe('')
  expect(pleaseSentence(['enter a template name'])).toBe('Please enter a template name.')
  expect(pleaseSentence(['enter a template name', 'enter a message body'])).toBe(
    'Please enter a template name and enter a message body.',
  )
  expect(
    pleaseSentence([
      'enter a template name',
      'select at least one template type',
      'enter a message body',
      'include {Pharmacy Name} in the message body',
    ]),
  ).toBe(
    'Please enter a template name, select at least one template type, enter a message body, and include {Pharmacy Name} in the message body.',
  )
})

test('right-to-left names are isolated in a list; others are unchanged', () => {
  const [arabic, hebrew] = ['صيدلية النور', 'בית מרקחת']
  const [one, other] = [`\u2068${arabic}\u2069`, `\u2068${hebrew}\u2069`]
  expect([isolated(arabic), isolated('Saltbush'), isolated('Ångström & Søn')]).toEqual([
    one,
    'Saltbush',
    'Ångström & Søn',
  ])
  expect(listOf([arabic, hebrew])).toBe(`${one} and ${other}`)
  expect(listOf([arabic, 'Saltbush', hebrew], 'or')).toBe(`${one}, Saltbush, or ${other}`)
  expect(joined([arabic, '', null, undefined, false, hebrew], ' · ')).toBe(`${one} · ${other}`)
  expect(joined(['12 High Street', 'Ballarat'])).toBe('12 High Street, Ballarat')
})

test('lists and counts', () => {
  expect([capital('not received'), capital('')]).toEqual(['Not received', ''])
  expect(listOf(['a', 'b', 'c'], 'or')).toBe('a, b, or c')
  expect(firstOf(['NSW', 'QLD', 'VIC'])).toBe('NSW, QLD, VIC')
  expect(firstOf(['ACT', 'NSW', 'QLD', 'VIC'])).toBe('ACT, NSW, QLD and 1 more')
  expect([1, 0, 1105].map((count) => counted(count, 'pharmacy', 'pharmacies'))).toEqual([
    '1 pharmacy',
    '0 pharmacies',
    '1,105 pharmacies',
  ])
})
