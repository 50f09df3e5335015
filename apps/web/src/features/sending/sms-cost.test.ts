import { expect, it } from 'vitest'
import { countedText, exampleCost, partPrice } from './sms-cost.ts'

it('texts are priced and counted in words', () => {
  expect(partPrice('AU')).toBe('12c')
  expect(partPrice('GB')).toBe('12p')
  expect(exampleCost('AU', 1000, 2)).toBe('$240.00')
  expect(countedText('AU', '')).toEqual({ count: 'Nothing to count yet.', forced: '' })
  expect(
    countedText('AU', 'Hi {First Name}, your next repeat is due at {Pharmacy Name}. Call {Pharmacy Number}.'),
  ).toEqual({
    count: 'About 120 of 160 characters · 1 part, 12c a text',
    forced: '',
  })
  const emoji = countedText('AU', 'Time for your repeat 💊 and some more words so that it takes two parts, ok?')
  expect(emoji.count).toMatch(/2 parts, 24c a text$/)
  expect(emoji.forced).toBe('‘💊’ reduces each part from 160 to 70 characters.')
  expect(countedText('AU', 'Ж, Д and Я').forced).toMatch(/^‘Ж’, ‘Д’, ‘Я’ reduce /)
  expect(countedText('AU', 'Ж, Д, Я and Ю').forced).toMatch(/^‘Ж’, ‘Д’, ‘Я’ and 1 more reduce /)
})
