import { expect, it } from 'vitest'
import { figuresOf } from './message-stats.ts'

it('ROI divides revenue by what was paid for patients whose revenue is known', () => {
  const sums = { sms: 300, email: 0, reach: 300, sms_parts: 300, cost_cents: 3600, earned_people: 200 }
  const row = { ...sums, unmeasured_cents: 1200, revenue_cents: 500_000, expected_cents: 440_000 }
  expect(figuresOf(row)).toMatchObject({ cost: 36, roi_cost: 24, revenue: 600, roi: 24 })
  expect(figuresOf({ ...row, unmeasured_cents: 3600 })).toMatchObject({ cost: 36, revenue: 600, roi: null })
})
