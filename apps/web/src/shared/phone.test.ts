import { expect, test } from 'vitest'
import { phoneLink, phoneText } from './phone.ts'

test.each([
  ['08001234567', 'GB', '0800 123 4567'],
  ['+44 20 7946 0018', 'GB', '020 7946 0018'],
  ['01632960960', 'GB', '01632 960 960'],
  ['0161 496 0000', 'GB', '0161 496 0000'],
  ['extension 12', 'GB', 'extension 12'],
  ['1800 160 401', 'AU', '1800 160 401'],
  ['(02) 5550 4471', 'AU', '(02) 5550 4471'],
  ['+61491571821', 'AU', '0491 571 821'],
  ['0491577485', 'AU', '0491 577 485'],
  ['61 491 577 485', 'AU', '0491 577 485'],
  ['+12125550123', 'US', '(212) 555-0123'],
  ['555', 'US', '555'],
] as const)('%s in %s reads %s', (phone, country, text) => {
  expect(phoneText(phone, country)).toBe(text)
})

test('a phone dials digits and a leading plus', () => {
  expect(phoneLink('+61 (2) 5550 1234')).toBe('tel:+61255501234')
})
