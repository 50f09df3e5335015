import { expect, it } from 'vitest'
import { momentIn, momentOf, partsIn } from './dates.ts'

it('gives a moment in the same format by the company’s clock and a pharmacy’s, in every country', () => {
  const at = '2026-09-19T04:14:00Z'
  expect(momentOf('AU', at)).toBe('19 Sep 2026, 2:14 pm')
  expect(momentOf('GB', at)).toBe('19 Sep 2026, 5:14 am')
  expect(momentOf('GB', '2026-09-19T13:14:00Z')).toBe('19 Sep 2026, 2:14 pm')
  expect(momentOf('US', '2026-09-19T18:14:00Z')).toBe('Sep 19, 2026, 2:14 PM')
  for (const country of ['AU', 'GB', 'US'] as const) {
    const zone = { AU: 'Australia/Sydney', GB: 'Europe/London', US: 'America/New_York' }[country]
    expect(momentOf(country, at)).toBe(momentIn(country, zone, at))
  }
})

it('gives day and time for two lines, whatever commas the country’s dates have', () => {
  const at = '2026-09-19T18:14:00Z'
  expect(partsIn('US', 'America/New_York', at)).toEqual(['Sep 19, 2026', '2:14 PM'])
  expect(partsIn('GB', 'Europe/London', at)).toEqual(['19 Sep 2026', '7:14 pm'])
})
