import { expect, test } from 'vitest'
import {
  curveOf,
  curveTitle,
  followedText,
  type PartsReply,
  partsCaption,
  partsTitle,
  signedMoney,
} from './behind-model.ts'

const parts: PartsReply = {
  ...{ now: 1050, previous: 1000, change: 50, parts: { volume: 80, price: -20, mix: -10 } },
  ...{ rates: { volume: 0.08, price: -0.02, mix: -0.01 }, formulas: { volume: '', price: '', mix: '' } },
  ...{ pharmacies: [], prior: { from: '2025-07-01', to: '2025-11-22' }, data_to: '2026-11-22' },
  ...{ pharmacies_counted: 3, pharmacies_compared: 2 },
  period: { key: '2026', label: '', from: '2026-07-01', to: '2026-11-22', ends: '2027-06-30', running: true },
}

test('the title gives the change in revenue, and its largest cause', () => {
  expect(partsTitle(parts, 'AU')).toBe('Revenue rose by $50, mostly from scripts dispensed (+$80)')
  expect(partsTitle({ ...parts, change: -30, parts: { volume: 0, price: -20, mix: -10 } }, 'AU')).toBe(
    'Revenue fell by $30, mostly from revenue per script (−$20)',
  )
  expect(partsCaption(parts, 'AU')).toBe(
    'What moved it? Revenue by volume, price and mix, compared with 1 Jul – 22 Nov 2025, for the 2 with complete data in both',
  )
  expect([signedMoney('AU', 12), signedMoney('AU', -12), signedMoney('AU', 0)]).toEqual(['+$12', '−$12', '$0'])
})

const point = (day: number, share: number, at_risk: number) => ({
  day,
  share,
  low: share - 0.1,
  high: share + 0.1,
  at_risk,
})
const curve = {
  ...{ drug_type: null, starts: 40, until: 33 },
  points: [point(30, 0.5, 20)],
  steps: [point(7, 0.9, 38), point(30, 0.5, 20)],
}

test('a curve is level between its steps, begins with everybody and ends where too few are followed', () => {
  const { days, shares, band } = curveOf(curve)
  expect(days).toEqual([0, 5, 10, 15, 20, 25, 30])
  expect(shares).toEqual([1, 1, 0.9, 0.9, 0.9, 0.9, 0.5])
  expect(band[0]).toEqual([1, 1])
  expect(band[6]).toEqual([0.4, 0.6])
})

test('a curve gives how many are left and how many were followed', () => {
  expect(curveTitle(curve, 'AU')).toBe('50.00% still take a medicine 30 days after they began it')
  expect(followedText(curve, 'AU')).toMatch(/^Followed: 40 from the start, 20 to day 30\./)
  expect(curveTitle({ ...curve, starts: 9, points: [], steps: [], until: null }, 'AU')).toBe(
    '9 began a medicine: too few to tell how long they stay',
  )
})
