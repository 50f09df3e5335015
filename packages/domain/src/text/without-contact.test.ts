import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutContact } from './without-contact.ts'

test.each([
  ['No route to +61477123987', '+61477123987', 'No route to the number'],
  ['N\0o\0 \x000\x004\x007\x007\x001\x002\x003\x009\x008\x007\0', '+61477123987', 'No the number'],
  ['5\x0050 no a\0@b.example', 'a@b.example', '550 no the address'],
  [
    "Error 21211: the 'To' number 61477123987 is not valid.",
    '+61477123987',
    "Error 21211: the 'To' number the number is not valid.",
  ],
  ['0477 123 987 is not in service', '+61477123987', 'the number is not in service'],
  ['unknown: 0061-477-123-987', '+61477123987', 'unknown: the number'],
  ['(0477) 123-987?', '+61477123987', '(the number?'],
  ['Absent subscriber 7700900123', '+447700900123', 'Absent subscriber the number'],
  ['085 123 4567 is switched off', '+353851234567', 'the number is switched off'],
  ['(555) 012-3456 opted out', '+15550123456', '(the number opted out'],
  ['+61477123988 is not in service', '+61477123987', '+61477123988 is not in service'],
  ['queue id 9961477123987', '+61477123987', 'queue id 9961477123987'],
  ['550 5.1.1 <Ann.Q@Mail.example>: user unknown', 'ann.q@mail.example', '550 5.1.1 <the address>: user unknown'],
  ['550 annxq@mail.example', 'ann.q@mail.example', '550 annxq@mail.example'],
  ['Number not in service', '+61477123987', 'Number not in service'],
  ['Busy', '', 'Busy'],
  // The shortest number possible; a short code may be anything.
  ['Failed for 12345678', '+12345678', 'Failed for the number'],
  ['Error 21211', '21211', 'Error 21211'],
])('%j about %j is stored as %j', (reason, contact, kept) => {
  expect(withoutContact(reason, contact)).toBe(kept)
})

test('no reason contains the digits of the number, however they are separated', () => {
  const digit = fc.integer({ min: 0, max: 9 })
  fc.assert(
    fc.property(
      fc.array(digit, { minLength: 9, maxLength: 9 }),
      fc.array(fc.constantFrom('', ' ', '-', '.', ' ('), { minLength: 11, maxLength: 11 }),
      fc.constantFrom('', '+', '00'),
      (national, gaps, before) => {
        const number = `61${national.join('')}`
        const written = [...number].map((one, at) => one + (gaps[at] ?? '')).join('')
        const kept = withoutContact(`Unreachable: ${before}${written}`, `+${number}`)
        expect(kept.replaceAll(/\D/g, '')).not.toContain(national.join(''))
      },
    ),
  )
})
