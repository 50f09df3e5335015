import { describe, expect, test } from 'vitest'
import { type Against, belowHead, belowText, cellText } from './cell-text.ts'
import type { CellFigures } from './format.ts'

const cell: CellFigures = {
  revenue_value: 146_836.6,
  script_count: 6417,
  adherent_script_percent: 0.7958,
  adherence_n: 640,
  adherence_low: 0.7629,
  adherence_high: 0.8253,
  adherence_performance: 0.0512,
  loyalty_script_percent: 0.9,
  loyalty_n: 7000,
  loyalty_low: 0.8928,
  loyalty_high: 0.9068,
  loyalty_performance: -0.01,
}
const none = { revenue_value: null, script_count: null, adherent_script_percent: null, loyalty_script_percent: null }
const change = { revenue_value: 0.042, script_count: -0.06, adherent_script_percent: 0.006, loyalty_script_percent: 0 }
const whole: Against = {
  change,
  noChange: { why: 'nothing a year earlier', known: false },
  noAverage: { why: 'the average is hidden', known: false },
  nothing: 'nobody is measured',
}
const text = (statistic: Parameters<typeof cellText>[1], of: CellFigures | undefined = cell, against = whole) =>
  cellText('AU', statistic, of, against)

describe('the line under a figure', () => {
  test('for money has scripts and the change, coloured only beyond 5%', () => {
    expect(text('Revenue')).toEqual({
      ...{ figure: '$146,837', context: '6,417', tone: 'plain', unsure: false, noChange: '' },
      change: { arrow: '↑', text: '4.20%', tone: 'plain' },
      words: '6,417 scripts. 4.20% more than last year.',
    })
    expect(text('Number of Scripts')).toMatchObject({
      ...{ figure: '6,417', context: '$146,837', change: { arrow: '↓', text: '6.00%', tone: 'bad' } },
      words: '$146,837 revenue. 6.00% less than last year.',
    })
    expect(text('Revenue', { ...cell, script_count: 1 }).words).toMatch(/^1 script\. /)
    const changed = (revenue_value: number) =>
      text('Revenue', cell, { ...whole, change: { ...change, revenue_value } }).change
    expect(changed(0.05)).toEqual({ arrow: '↑', text: '5.00%', tone: 'plain' })
    expect(changed(-0.00001)).toEqual({ arrow: '=', text: '0.00%', tone: 'plain' })
  })

  test('for a share has the distance from the average and the change, both in points', () => {
    expect(text('Adherence')).toEqual({
      ...{ figure: '79.58%', context: '+3.9', tone: 'good', unsure: false, noChange: '' },
      change: { arrow: '↑', text: '0.6', tone: 'plain' },
      words:
        'Between 76.3% and 82.5%, from 640 measured. 3.9 points (5.12%) above the average. 0.6 points above last year.',
    })
    expect(text('Loyalty')).toMatchObject({
      ...{ context: '−0.9', tone: 'plain', change: { arrow: '=', text: '0.0', tone: 'plain' } },
      words: expect.stringContaining('0.9 points (1.00%) below the average. As last year.'),
    })
    const zero = { ...cell, adherent_script_percent: 0, adherence_low: 0, adherence_performance: -1 }
    expect(text('Adherence', zero)).toMatchObject({
      context: 'below average',
      words: expect.stringContaining('100.00% below the average.'),
    })
    const equal = { ...cell, adherence_performance: 0.0001 }
    expect(text('Adherence', equal).words).toContain('As the average.')
    const fell = { ...whole, change: { ...change, adherent_script_percent: -0.05 } }
    expect(text('Adherence', cell, fell).change).toEqual({ arrow: '↓', text: '5.0', tone: 'bad' })
  })

  test('for few observations has no comparison', () => {
    expect(text('Adherence', { ...cell, adherence_n: 29 })).toMatchObject({
      ...{ context: 'only 29 measured', change: null, noChange: '' },
      words: expect.stringContaining('Too few to compare.'),
    })
  })

  test('is a single line on paper', () => {
    expect(belowText(text('Adherence'))).toBe('+3.9 ↑ 0.6')
    expect(belowText(text('Revenue', cell, { ...whole, change: none }))).toBe('6,417 no last year')
  })
})

describe('a missing comparison is explained', () => {
  const below = (of: CellFigures, against: Against) => belowText(text('Adherence', of, against))
  const hidden = { ...cell, adherence_performance: null }
  const unchanged = { ...whole, change: none }
  const known = { ...whole, change: none, noChange: { why: 'x', known: true }, noAverage: { why: 'y', known: true } }

  test('in the cell, if the head and the row do not say it', () => {
    expect(below(hidden, whole)).toBe('no average ↑ 0.6')
    expect(below(cell, unchanged)).toBe('+3.9 no last year')
    expect(below(hidden, unchanged)).toBe('not compared')
  })

  test('once, if they do; a line is never empty', () => {
    expect(below(cell, known)).toBe('+3.9')
    expect(below(hidden, { ...known, change })).toBe('↑ 0.6')
    expect(below(hidden, known)).toBe('not compared')
    expect(belowText(text('Revenue', cell, known))).toBe('6,417')
  })

  test('with its reason, for tooltips and screen readers', () => {
    expect(text('Adherence', hidden, unchanged).words).toBe(
      'Between 76.3% and 82.5%, from 640 measured. Not compared with the average: the average is hidden. Not compared with last year: nothing a year earlier.',
    )
  })

  test('but not for an average, or a missing figure', () => {
    const average = { ...whole, change: undefined, noChange: null, noAverage: null }
    expect(below(hidden, average)).toBe('average')
    expect(text('Revenue', cell, average)).toMatchObject({ change: null, noChange: '', words: '6,417 scripts.' })
    expect(cellText('AU', 'Revenue', undefined, whole)).toMatchObject({
      figure: '–',
      context: '',
      words: 'Nobody is measured.',
    })
    const unseen = { ...cell, revenue_value: null, script_count: null }
    expect(text('Revenue', unseen, { ...average, nothing: 'hidden' })).toMatchObject({
      ...{ figure: '–', context: '', words: 'Hidden.' },
    })
    const nobody = { ...cell, adherent_script_percent: null, adherence_n: 0 }
    expect(text('Adherence', nobody)).toMatchObject({
      figure: '–',
      context: '',
      noChange: '',
      words: 'Nobody is measured.',
    })
    const away = { ...nobody, adherence_n: 13 }
    expect(text('Adherence', away).words).toBe('None of the 13 measured has a script in this period.')
  })
})

test('the head names the units once', () => {
  const all = { average: true, change: true }
  expect(belowHead('Revenue', all)).toBe('Below: scripts, ↑↓ on last year')
  expect(belowHead('Number of Scripts', { ...all, average: false })).toBe('Below: revenue, ↑↓ on last year')
  expect(belowHead('Adherence', all)).toBe('Below: points to average, ↑↓ on last year')
  expect(belowHead('Loyalty', { average: false, change: true })).toBe('Below: ↑↓ points on last year, no average')
  expect(belowHead('Loyalty', { average: true, change: false })).toBe('Below: points to average, no last year')
  expect(belowHead('Revenue', { average: true, change: false })).toBe('Below: scripts, no last year')
})
