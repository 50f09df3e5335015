import { expect, test } from 'vitest'
import { addressLine, addressLines, townLine } from './address.ts'

const BALLARAT = { street_address: '12 Sturt Street', town: 'Ballarat', region: 'VIC', postcode: '3350' }
const NOTHING = { street_address: null, town: null, region: null, postcode: null }

test('an address is one line, without the parts that are missing', () => {
  expect(addressLine(BALLARAT)).toBe('12 Sturt Street, Ballarat VIC 3350')
  expect(addressLine({ ...BALLARAT, street_address: null, region: '' })).toBe('Ballarat 3350')
  expect(addressLine({ ...NOTHING, street_address: '12 Sturt Street' })).toBe('12 Sturt Street')
  expect(addressLine(NOTHING)).toBe('')
  expect(townLine(BALLARAT)).toBe('Ballarat VIC 3350')
})

test('a town that reads from right to left does not reorder the postcode', () => {
  expect(addressLine({ ...BALLARAT, town: 'חיפה' })).toBe('12 Sturt Street, \u2068חיפה\u2069 VIC 3350')
})

test('an address has a line for the street and one for the place', () => {
  const place = { town: 'Ballarat', region: 'VIC', postcode: '3350' }
  expect(addressLines({ street_address: '12 Sturt Street', ...place })).toEqual([
    '12 Sturt Street',
    'Ballarat VIC 3350',
  ])
  expect(addressLines({ street_address: '', ...place, region: null })).toEqual(['Ballarat 3350'])
  expect(addressLines({ street_address: null })).toEqual([])
})
