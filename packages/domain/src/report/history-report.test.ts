import { expect, it } from 'vitest'
import { day } from '../time/day.ts'
import { historyDaysProblems } from './history-report.ts'

it('a message history needs both days, in order, and begins no later than allowed', () => {
  const today = day('2026-11-20')
  const earlier = day('2026-10-20')
  expect(historyDaysProblems(earlier, today, today)).toEqual([])
  expect(historyDaysProblems(today, today, today)).toEqual([])
  expect(historyDaysProblems(today, day('2026-12-01'), today)).toEqual([])
  expect(historyDaysProblems(null, null, today)).toEqual([{ field: 'from', words: 'choose a start date' }])
  expect(historyDaysProblems(today, null, today)).toEqual([{ field: 'to', words: 'choose an end date' }])
  expect(historyDaysProblems(today, earlier, today)[0]?.words).toMatch(/not after the end/)
  expect(historyDaysProblems(day('2026-11-21'), day('2026-11-22'), today)[0]?.words).toMatch(/not in the future/)
})
