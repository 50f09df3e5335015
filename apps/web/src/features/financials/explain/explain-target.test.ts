import { expect, test } from 'vitest'
import { addsUp, sumText } from './explain-target.ts'

const line = (numerator: number, now: number | null = null, previous: number | null = null) => ({
  ...{ numerator, denominator: null, now, previous },
})
const change = (now: number, previous: number) => ({ kind: 'change' as const, now, previous })
const whole = (value: number) => ({ numerator: { value }, denominator: null, comparison: null, once: null })

test('the parts of a number add up after counting people once', () => {
  const pharmacies = [line(20, 20, 18), line(11, 11, 12)]
  const once = { numerator: -4, denominator: null, now: -4, previous: -3 }
  expect(addsUp({ ...whole(31), pharmacies })).toBe(true)
  expect(addsUp({ ...whole(27), pharmacies })).toBe(false)
  expect(addsUp({ ...whole(27), pharmacies, once })).toBe(true)
  expect(addsUp({ ...whole(27), pharmacies, once, comparison: change(27, 27) })).toBe(true)
  expect(addsUp({ ...whole(27), pharmacies, once, comparison: change(27, 30) })).toBe(false)
})

test('shares of a year earlier need not add up', () => {
  const pharmacies = [
    { ...line(8, 0.8, 0.7), denominator: 10 },
    { ...line(9, 0.9, 0.6), denominator: 10 },
  ]
  const share = { ...whole(17), denominator: { value: 20 }, pharmacies, comparison: change(0.85, 0.65) }
  expect(addsUp(share)).toBe(true)
  expect(addsUp({ ...share, denominator: { value: 21 } })).toBe(false)
})

test('a change is divided by the value a year earlier, or for a share subtracted from it', () => {
  expect(sumText(change(120, 100), 'money', 'AU')).toBe('($120 − $100) ÷ $100')
  expect(sumText(change(20, -40), 'money', 'AU')).toBe('($20 − −$40) ÷ $40')
  expect(sumText(change(0.5, 0.25), 'fraction', 'AU')).toBe('50.00% − 25.00%')
  expect(sumText({ ...change(0.6, 0.5), kind: 'average' }, 'fraction', 'AU')).toBe('60.00% ÷ 50.00% − 1')
})
