import { expect, it } from 'vitest'
import { contactSearch } from './contact-search.ts'

const CONTACTS = ['61477123001', '614770001', 'ada@home.example', 'zq@home.example', 'ben@away.example']

it.each([
  ['call +61477123001.', true],
  ['00614770001222', true],
  ['6147712300', false],
  ['61477 123 001', false],
  ['write to ben@away.example, please', true],
  ['<ada@home.example>', true],
  ['@ ada@home.example', true],
  ['ada@away.example', false],
  ['ada@other.example, about home.example', false],
  ['ada left bo@home.example', false],
  ['da@home.example', false],
  ['', false],
])('finds a contact in %j: %j', (text, found) => {
  expect(contactSearch(CONTACTS)(text)).toBe(found)
})

it('finds nothing when there are no contacts', () => {
  expect(contactSearch([])('61477123001 ada@home.example')).toBe(false)
})
