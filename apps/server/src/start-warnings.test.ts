import { describe, expect, it } from 'vitest'
import type { Services } from './api/context.ts'
import { warnOfHolidays } from './start-warnings.ts'

/** What a server that starts on this day in Sydney says of public holidays. */
function said(day: string): string[] {
  const lines: string[] = []
  const log = { warn: (line: string) => lines.push(line) }
  warnOfHolidays({ env: { COUNTRY: 'AU' }, log, now: () => new Date(`${day}T01:00:00Z`) } as unknown as Services)
  return lines
}

describe('the list of public holidays, which ends with 2028', () => {
  it('is no word at the start while half a year is left', () => {
    expect(said('2028-06-30')).toEqual([])
  })

  it.each(['2028-07-06', '2028-12-31', '2029-01-01'])('is a warning from then on (%s)', (day) => {
    expect(said(day)).toEqual([
      'Public holidays are known up to 2028-12-31. Please renew apps/server/data/holidays.csv: after that no holiday is quiet.',
    ])
  })
})
