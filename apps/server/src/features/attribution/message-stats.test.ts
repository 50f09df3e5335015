import { expect, it } from 'vitest'
import { figuresOf, type StatFigures } from './message-stats.ts'
import { statsCsvText } from './message-stats-csv.ts'

it('ROI divides revenue by what was paid for patients whose revenue is known', () => {
  const sums = { sms: 300, email: 0, reach: 300, sms_parts: 300, cost_cents: 3600, earned_people: 200 }
  const row = { ...sums, unmeasured_cents: 1200, revenue_cents: 500_000, expected_cents: 440_000 }
  expect(figuresOf(row)).toMatchObject({ cost: 36, roi_cost: 24, revenue: 600, roi: 24 })
  expect(figuresOf({ ...row, unmeasured_cents: 3600 })).toMatchObject({ cost: 36, revenue: 600, roi: null })
})

it('a figure of nothing is 0.00 in the file like any other, and no figure is an empty cell', () => {
  const method = { method: 'run_rate' as const, method_name: 'x' }
  const result = { ...method, n_messaged: 200, n_compared: null, reason: null, low: null, high: null }
  const none = { sms: 0, email: 0, reach: 200, cost: 0, revenue: 0, revenue_change: 0, roi: 0, roi_cost: 1, result }
  const few = { ...none, revenue: null, revenue_change: null, roi: null }
  const linesOf = (total: StatFigures) =>
    statsCsvText(total, [], { from: '2026-01-01', to: '2026-12-31' }, 'GB').trim().split(/\r?\n/)
  const totalOf = (total: StatFigures) => linesOf(total)[1]
  expect(linesOf(none)[0]).toContain(',"Cost, GBP","Revenue, GBP",')
  expect(totalOf(none)).toBe(',TOTAL,0,0,200,0.00,0.00,0.00,0.00,200,,2026-01-01,2026-12-31')
  expect(totalOf(few)).toBe(',TOTAL,0,0,200,0.00,,,,200,,2026-01-01,2026-12-31')
})
