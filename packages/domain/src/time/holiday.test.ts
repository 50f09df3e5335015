import { describe, expect, test } from 'vitest'
import { day } from './day.ts'
import { holidayRegion, holidaysIn, parseHolidays } from './holiday.ts'

const LIST = `country,region,day,name
AU,,2026-12-25,Christmas Day
AU,VIC,2026-11-03,Melbourne Cup Day
GB,SCT,2026-11-30,St Andrew's Day
US,,2027-01-18,"King, Jr."
`

describe('lists of public holidays', () => {
  test('a region has its own holidays and those of its country', () => {
    const list = parseHolidays(LIST)
    expect([...holidaysIn(list, 'AU', 'VIC')]).toEqual([day('2026-12-25'), day('2026-11-03')])
    expect([...holidaysIn(list, 'AU', 'WA')]).toEqual([day('2026-12-25')])
    expect([...holidaysIn(list, 'AU', null)]).toEqual([day('2026-12-25')])
    expect([...holidaysIn(list, 'GB', 'SCT')]).toEqual([day('2026-11-30')])
  })

  test('an invalid line is named', () => {
    expect(() => parseHolidays('date,name\n')).toThrow('Line 1 must be "country,region,day,name".')
    for (const line of ['NZ,,2026-12-25,x', 'AU,,2026-02-30,x', 'AU'])
      expect(() => parseHolidays(`country,region,day,name\n${line}`)).toThrow(/^Line 2 must be .*: /)
  })
})

describe('the region of a pharmacy', () => {
  test('comes from its address, else from its postcode', () => {
    expect(holidayRegion('AU', ' vic ', '2000')).toBe('VIC')
    expect(holidayRegion('AU', 'Western Australia', null)).toBe('WA')
    expect(holidayRegion('AU', null, '0870')).toBe('NT')
    expect(holidayRegion('AU', '', '2601')).toBe('ACT')
    for (const postcode of ['2600', '2618', '2900', '2920']) expect(holidayRegion('AU', null, postcode)).toBe('ACT')
    for (const postcode of ['2599', '2619', '2899', '2921']) expect(holidayRegion('AU', null, postcode)).toBe('NSW')
    const first = ['2000', '3000', '4000', '5000', '6000'].map((postcode) => holidayRegion('AU', null, postcode))
    expect(first).toEqual(['NSW', 'VIC', 'QLD', 'SA', 'WA'])
    expect(holidayRegion('AU', null, '7000')).toBe('TAS')
    expect(holidayRegion('GB', 'Scotland', 'SW1A 1AA')).toBe('SCT')
    expect(holidayRegion('GB', 'Kent', 'CT1 2EH')).toBe('ENG')
    expect(holidayRegion('GB', null, 'g12 8qq')).toBe('SCT')
    expect(holidayRegion('GB', null, 'BT1 5GS')).toBe('NIR')
    expect(holidayRegion('GB', null, 'CF10 1EP')).toBe('WLS')
  })

  test('is null when unknown, and in the United States', () => {
    expect(holidayRegion('AU', 'Lord Howe', '123')).toBeNull()
    expect(holidayRegion('GB', null, null)).toBeNull()
    expect(holidayRegion('US', 'NY', '10001')).toBeNull()
  })
})
