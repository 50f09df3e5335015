import { day } from '@pillar/domain/time/day'
import { describe, expect, it } from 'vitest'
import { calendarOf, holidaysKnownTo } from './local-calendar.ts'

const quiet = (country: 'AU' | 'GB' | 'US', region: string | null, iso: string) =>
  calendarOf({ country, region, postcode: null, time_zone: 'UTC' }).holidays.has(day(iso))

describe('the public holidays of a pharmacy', () => {
  it('are those of its state or nation', () => {
    expect(quiet('AU', 'VIC', '2027-11-02')).toBe(true)
    expect(quiet('AU', 'NSW', '2027-11-02')).toBe(false)
    expect(quiet('AU', 'WA', '2027-09-27')).toBe(true)
    expect(quiet('AU', 'ACT', '2027-05-31')).toBe(true)
    expect(quiet('GB', 'Scotland', '2026-11-30')).toBe(true)
    expect(quiet('GB', 'England', '2026-11-30')).toBe(false)
    expect(quiet('GB', 'Northern Ireland', '2027-07-12')).toBe(true)
    expect(quiet('US', 'NY', '2026-11-26')).toBe(true)
  })

  it('are the day itself and the working day observed instead', () => {
    for (const iso of ['2026-12-25', '2026-12-26', '2026-12-28', '2027-12-27', '2027-12-28', '2028-01-03'])
      expect([iso, quiet('AU', 'VIC', iso)]).toEqual([iso, true])
    expect(quiet('AU', 'VIC', '2026-12-29')).toBe(false)
    expect(quiet('GB', null, '2027-12-28')).toBe(true)
    expect(quiet('US', null, '2027-12-24')).toBe(true)
  })

  it('have the Easter of the church calendar', () => {
    for (const friday of ['2026-04-03', '2027-03-26', '2028-04-14'])
      expect([friday, quiet('AU', null, friday), quiet('GB', null, friday)]).toEqual([friday, true, true])
  })

  it('are known for the past years that figures need', () => {
    expect([quiet('AU', 'VIC', '2022-11-01'), quiet('AU', 'NSW', '2022-11-01')]).toEqual([true, false])
    expect([quiet('AU', 'WA', '2024-09-23'), quiet('AU', 'WA', '2024-09-30')]).toEqual([true, false])
    expect([quiet('GB', 'England', '2022-06-02'), quiet('GB', 'England', '2022-05-30')]).toEqual([true, false])
    expect([quiet('AU', 'NSW', '2021-04-26'), quiet('AU', 'NSW', '2026-04-27')]).toEqual([false, true])
  })

  it('are one object for pharmacies with the same zone and region', () => {
    const place = { country: 'AU', region: 'VIC', postcode: '3350', time_zone: 'Australia/Melbourne' } as const
    expect(calendarOf(place)).toBe(calendarOf({ ...place, postcode: '3000' }))
    expect(calendarOf(place)).not.toBe(calendarOf({ ...place, region: 'NSW' }))
  })

  it('come with the last day for which holidays are known', () => {
    expect(holidaysKnownTo('AU')).toBe('2028-12-31')
    expect(holidaysKnownTo('GB')).toBe('2028-12-31')
    expect(holidaysKnownTo('US')).toBe('2028-12-31')
  })
})
