import { day } from '@pillar/domain/time/day'
import { CANONICAL_FORMAT, type ColumnType } from '@pillar/domain/upload/upload-format'
import { describe, expect, it } from 'vitest'
import { held } from '../../../../test/etl/held.ts'
import { checkOf, NULL } from './check.ts'

const context = { today: day('2026-11-20'), shiftDays: 0, country: 'AU', timeZone: 'Australia/Sydney' } as const
const check = (type: ColumnType, value: string, column = 'x') => {
  const answer = checkOf(column, { type, meaning: '' }, context)(value)
  return typeof answer === 'string' ? answer : { refused: answer.reason }
}

describe('checking a value', () => {
  it('money becomes cents exactly, half a cent away from zero', () => {
    const cases = {
      '31.60': '3160',
      '7': '700',
      '0.1': '10',
      '1.005': '101',
      '-1.005': '-101',
      '-0.001': '0',
      '2.674': '267',
    }
    for (const [value, cents] of Object.entries(cases)) expect(check('money', value)).toBe(cents)
    for (const value of ['$5', '1,000.00', '5.', '.5', '1e3', '1234567890123', '']) {
      if (value === '') expect(check('money', value)).toBe(NULL)
      else expect(check('money', value)).toEqual({ refused: 'is not an amount such as 31.60' })
    }
  })

  it('an amount over a million in one line is refused, paid or given back', () => {
    expect(check('money', '1000000')).toBe('100000000')
    expect(check('money', '-1000000.00')).toBe('-100000000')
    const refused = { refused: 'is more than 1,000,000, too much for one line' }
    for (const value of ['1000000.01', '-1000000.005', '7700000', '12345678', '-999999999999'])
      expect(check('money', value)).toEqual(refused)
  })

  it('dates are valid, and past events are not in the future', () => {
    expect(check('date', '2024-02-29')).toBe('2024-02-29')
    expect(check('date', '2025-02-29')).toEqual({ refused: 'is not a date such as 2026-07-31' })
    expect(check('date', '2026-11-20', 'dispensed_on')).toBe('2026-11-20')
    expect(check('date', '2026-11-21', 'dispensed_on')).toEqual({ refused: 'is in the future' })
    expect(check('date', '2027-01-01', 'ceased_on')).toBe('2027-01-01')
    expect(check('date', '1700-01-01')).toEqual({ refused: 'is before 1890' })
    expect(check('date', '2026-11-21', 'deceased_on')).toEqual({ refused: 'is in the future' })
    const shifted = (column: string, shiftDays: number) =>
      checkOf(column, { type: 'date', meaning: '' }, { ...context, shiftDays })
    expect(shifted('dispensed_on', 5802)('2010-12-30')).toBe('2026-11-18')
    expect(shifted('x', 365)('1889-06-01')).toBe('1890-06-01')
  })

  it('a time is kept to the second, and is not after today', () => {
    expect(check('time', '2026-11-20')).toBe('2026-11-20 00:00:00')
    expect(check('time', '2026-11-20T23:59')).toBe('2026-11-20 23:59:00')
    expect(check('time', '2026-11-20 14:05:59.25')).toBe('2026-11-20 14:05:59')
    expect(check('time', '2026-11-21T00:00')).toEqual({ refused: 'is in the future' })
    expect(check('time', '2026-11-20T24:00')).toEqual({ refused: 'is not a date and time such as 2026-07-31T14:05' })
  })

  it('numbers are whole or decimal as the column requires, and never negative', () => {
    expect(check('integer', '007')).toBe('7')
    expect(check('integer', '30.0')).toBe('30')
    expect(check('integer', '2.5')).toHaveProperty('refused')
    expect(check('integer', '-1')).toHaveProperty('refused')
    expect(check('integer', '999', 'supply_number')).toBe('999')
    expect(check('integer', '1000', 'supply_number')).toEqual({ refused: 'is more than 999' })
    expect(check('quantity', '2.5')).toBe('2.5')
    expect(check('quantity', '-2.5')).toHaveProperty('refused')
    expect(check('quantity', '0.125', 'units')).toBe('0.125')
  })

  it('a quantity of a register is never rounded: with more than two decimals it is refused', () => {
    const quantities = Object.entries(CANONICAL_FORMAT.s8_transactions).filter(([, rule]) => rule.type === 'quantity')
    expect(quantities.map(([column]) => column)).toEqual([
      ...['quantity_in', 'quantity_out', 'balance', 'counted', 'prescribed'],
    ])
    for (const [column, rule] of quantities) {
      const ofRegister = checkOf(column, rule, context)
      for (const value of ['12', '2.5', '2.50', '2.500', '0.000']) expect(ofRegister(value)).toBe(value)
      for (const value of ['0.125', '2.5001', '1.010203'])
        expect(ofRegister(value)).toEqual({
          reason: 'has more than two decimals; a register is kept to the hundredth of a unit',
        })
      expect(ofRegister('1,5')).toHaveProperty('reason')
    }
  })

  it('flags, sexes and patient types are accepted in any letter case', () => {
    expect(['1', 'Y', 'TRUE', '0', 'no'].map((value) => check('flag', value))).toEqual(['t', 't', 't', 'f', 'f'])
    expect(check('flag', 'maybe')).toHaveProperty('refused')
    expect(['f', 'Male', 'X'].map((value) => check('sex', value))).toEqual(['F', 'M', NULL])
    expect(check('patient_type', 'safety net')).toBe('3')
    expect(check('patient_type', 'Gold')).toHaveProperty('refused')
    const american = checkOf('patient_type', { type: 'patient_type', meaning: '' }, { ...context, country: 'US' })
    expect(american('medicaid')).toBe('12')
    expect(american('Concession')).toEqual({
      reason: 'is not one of Commercial, Medicare, Medicaid, Military and VA, Cash',
    })
  })

  it('text stays unchanged, escaped for COPY, and within the length limit', () => {
    expect(check('text', 'a\tb\\N\n')).toBe('a\\tb\\\\N\\n')
    expect(check('text', 'x'.repeat(200))).toBe('x'.repeat(200))
    expect(check('text', 'x'.repeat(201))).toEqual({ refused: 'is longer than 200 characters' })
    expect(checkOf('x', { type: 'id', required: true, meaning: '' }, context)('')).toEqual({ reason: 'is missing' })
  })

  it('an id or a mobile number that a spreadsheet has shortened is refused, other text is not', () => {
    const shortened = { refused: expect.stringContaining('a spreadsheet has shortened') }
    expect(check('id', '6.14916E+10')).toEqual(shortened)
    expect(check('text', '6.14916E+10', 'mobile')).toEqual(shortened)
    expect(check('text', '6.14916E+10', 'address')).toBe('6.14916E+10')
  })

  it('long values and the lines around short ones are not kept in memory', () => {
    const before = held()
    const checks = (['date', 'money', 'integer', 'quantity', 'patient_type'] as const).map((type) =>
      checkOf('x', { type, meaning: '' }, context),
    )
    for (let at = 0; at < 400; at++) {
      const line = Buffer.from(`${at} not a value at all ${'x'.repeat(100_000)}`).toString()
      for (const one of checks) expect([typeof one(line), typeof one(line.slice(0, 20))]).toEqual(['object', 'object'])
    }
    expect(held() - before).toBeLessThan(10_000_000)
    // Keeps them in use until here, so that their caches are not garbage-collected before.
    expect(checks.map((one) => one(''))).toEqual(checks.map(() => NULL))
  })
})
