import { describe, expect, test } from 'vitest'
import { adjustments, type Calculator, type Change, calculator, START, sizeOf, subcategoryOf } from './calculator.ts'

const after = (...changes: Change[]): Calculator => changes.reduce(calculator, START)
const best = { categories: [{ category: 'Cardiac' }, { category: 'Thyroid' }] }
const worst = { categories: [{ category: 'Respiratory' }] }
const all = ['Cardiac', 'Thyroid', 'Respiratory']

describe('subcategory', () => {
  test('best and worst use the first listed, manual the selected one', () => {
    const of = (state: Calculator) => subcategoryOf(state, best, worst, all)
    expect(of(after({ type: 'mode', mode: 'best' }))).toBe('Cardiac')
    expect(of(after({ type: 'mode', mode: 'worst' }))).toBe('Respiratory')
    expect(of(after({ type: 'mode', mode: 'manual' }))).toBeNull()
    expect(of(after({ type: 'subcategory', subcategory: 'Thyroid' }))).toBe('Thyroid')
    expect(of(after({ type: 'subcategory', subcategory: 'Thyroid' }, { type: 'mode', mode: 'best' }))).toBe('Cardiac')
  })

  test('none while the list is empty or the selected one has disappeared', () => {
    expect(subcategoryOf(START, undefined, undefined, [])).toBeNull()
    expect(subcategoryOf(START, { categories: [] }, { categories: [] }, all)).toBeNull()
    expect(subcategoryOf(after({ type: 'subcategory', subcategory: 'Insulin' }), best, worst, all)).toBeNull()
  })
})

describe('adjustments', () => {
  test('entering a value turns its toggle on, and only its own', () => {
    const state = after({ type: 'size', which: 'adherence', size: 5 })
    expect([state.adherence.on, state.price.on]).toEqual([true, false])
    expect(adjustments(state)).toEqual({ adherence_adjustment: 5, price_per_script_adjustment: 0 })
  })

  test('emptying the field keeps the toggle, and sends nothing', () => {
    const state = after({ type: 'size', which: 'price', size: 2 }, { type: 'size', which: 'price', size: null })
    expect(state.price.on).toBe(true)
    expect(adjustments(state)).toEqual({ adherence_adjustment: 0, price_per_script_adjustment: 0 })
  })

  test('a direction sets the sign; a toggle that is off leaves the value out but keeps it', () => {
    const minus = after(
      { type: 'size', which: 'price', size: 0.5 },
      { type: 'direction', which: 'price', direction: '-' },
    )
    expect(adjustments(minus).price_per_script_adjustment).toBe(-0.5)
    const off = calculator(minus, { type: 'toggle', which: 'price', on: false })
    expect(adjustments(off).price_per_script_adjustment).toBe(0)
    expect(off.price.size).toBe(0.5)
  })

  test.each([
    ['5', 5],
    ['5.', 5],
    ['.5', 0.5],
    ['$1,200.50', 1200.5],
    ['10000', 10_000],
    ['', null],
  ])('a price typed as %j is %j', (typed, size) => {
    expect(sizeOf(typed, 'price')).toEqual({ size, problem: null })
  })

  test.each(['-5', '1.2.3', 'abc', '900', '100.01'])('points typed as %j are refused, and why', (typed) => {
    expect(sizeOf(typed, 'adherence')).toEqual({ size: null, problem: 'Please enter points from 0 to 100.' })
  })

  test('a price over 10,000 is refused', () => {
    expect(sizeOf('10001', 'price').problem).toBe('Please enter an amount from 0 to 10,000.')
  })
})
