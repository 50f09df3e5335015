import { day } from '@pillar/domain/time/day'
import { describe, expect, it } from 'vitest'
import { complete, figuresOf } from './figure.ts'
import { openBook } from './supply.ts'
import type { Line } from './world.ts'

const supply = (date: string, more: Partial<Line> = {}): Line => ({
  patient: 'anne',
  molecule: 'perindopril',
  day: day(date),
  days: 30,
  cents: 3500,
  prescription: null,
  number: null,
  ...more,
})
const world = (lines: Line[]) =>
  openBook({
    lines,
    medicines: [{ molecule: 'perindopril', atc: 'C09AA04', chronic: true }],
    people: [{ id: 'anne', died: null, facility: false }],
    prescriptions: [],
  })

describe('a comparison with the year before', () => {
  // Every weekday of November 2024 and 2025, except some.
  const weekdays = (month: string, but: number[] = []) =>
    Array.from({ length: 30 }, (_, at) => day(`${month}-01`) + at)
      .filter((date) => (date + 3) % 7 < 5 && !but.includes(date - day(`${month}-01`) + 1))
      .map((date) => ({ ...supply('2024-11-01'), day: date }))
  const november = (before: number[], now: number[], more: Line[] = [], holidays: string[] = []) => {
    const book = world([...weekdays('2024-11', before), ...weekdays('2025-11', now), ...more])
    const all = figuresOf(book, 'AU', day('2025-11-30'), new Set(holidays.map(day)))
    return all.find((one) => one.period.key === '2025-11')!.prior
  }

  it('needs 90% of the business days of both spans', () => {
    // 21 business days in November 2024 (19 are 90.5%), 20 in November 2025 (18 are 90%).
    expect(november([28, 29], [3, 4])).toMatchObject({ scripts: 19 })
    expect(november([27, 28, 29], [])).toBeNull()
    expect(november([], [3, 4, 5])).toBeNull()
    expect(november([], [3, 4, 5], [], ['2025-11-04', '2025-11-05'])).toMatchObject({ scripts: 21 })
  })

  it('needs both spans to begin within the data', () => {
    // 1 November 2024 is a Friday.
    expect(november([1], [])).toBeNull()
    expect(november([1], [], [supply('2024-10-31', { state: 'deferred' })])).toMatchObject({ scripts: 20 })
    expect(november([1], [], [], ['2024-11-01'])).toMatchObject({ scripts: 20 })
  })

  it('says nothing about a span without business days', () => {
    const book = world([supply('2025-10-31'), supply('2025-11-01')])
    expect(complete(book, { from: day('2025-11-01'), to: day('2025-11-02') }, new Set())).toBe(false)
  })
})
