import type { Cell, CellChange } from '@pillar/contract/figure'
import { belowText } from '@pillar/domain/figure/cell-text'
import { describe, expect, test } from 'vitest'
import { cellOf, heldOf, rowWithoutLastYear } from './cell-against.ts'
import { type PharmacyRow, pinnedRows, type TableReply } from './table-model.ts'

const cell: Cell = {
  revenue_value: 120,
  script_count: 10,
  adherent_script_percent: 0.8,
  adherence_n: 50,
  adherence_low: 0.67,
  adherence_high: 0.8876,
  adherence_performance: 0.02,
  loyalty_script_percent: 0.9,
  loyalty_n: 60,
  loyalty_low: 0.8,
  loyalty_high: 0.95,
  loyalty_performance: null,
}
const change: CellChange = {
  ...{ revenue_value: 0.2, script_count: null },
  ...{ adherent_script_percent: 0.01, loyalty_script_percent: null },
}
const row: PharmacyRow = {
  ...{
    pharmacy_id: '01890000-0000-7000-8000-000000000001',
    pharmacy_name: 'Northgate',
    state: 'QLD',
    postcode: '4013',
  },
  ...{ data_from: '2020-01-01', data_to: '2026-11-11', begins_before_data: false, late: false },
  cells: { TOTAL: cell, Cardiac: cell },
  changes: { TOTAL: change, Cardiac: change },
}
const other: PharmacyRow = { ...row, pharmacy_name: 'Other', changes: {} }
const begun: PharmacyRow = { ...other, pharmacy_name: 'Begun', begins_before_data: true }
const none = {
  categories: [],
  total: {
    ...{ adherent_script_percent: null, adherence_n: 0, adherence_low: null, adherence_high: null },
    revenue_value: 0,
  },
}
const { adherence_n, adherence_low, adherence_high, loyalty_n, loyalty_low, loyalty_high, ...average } = cell
const reply: TableReply = {
  category: 'Drug Type',
  period: { key: '2026', label: '', from: '2026-07-01', to: '2026-11-19', ends: '2027-06-30', running: true },
  columns: ['TOTAL', 'Cardiac', 'Diabetes'].map((field) => ({ field, total: cell })),
  baseline: { TOTAL: { ...average, adherence_performance: null }, Cardiac: average },
  ...{ baseline_pharmacies: 20, baseline_from: '2026-07-01', baseline_to: '2026-10-31', baseline_reason: null },
  ...{ selected_average: { TOTAL: cell }, selected_pharmacies: 3, changes: { TOTAL: change } },
  pharmacies: [row, other, begun],
  ...{ best_categories: none, worst_categories: none },
}
const held = heldOf(reply)
const pinned = pinnedRows(reply, { product: 'Pillar', country: 'AU' })
const at = (of: Parameters<typeof cellOf>[2], statistic: Parameters<typeof cellOf>[1], by = held) =>
  cellOf('AU', statistic, of, 'TOTAL', by)

describe('a cell of the table', () => {
  test('has its change and its distance', () => {
    expect(belowText(at(row, 'Revenue'))).toBe('10 ↑ 20.00%')
    expect(belowText(at(row, 'Adherence'))).toBe('+1.6 ↑ 1.0')
    expect(belowText(at(row, 'Number of Scripts'))).toBe('$120 no last year')
    expect(at(row, 'Number of Scripts').words).toContain('there was nothing a year earlier')
  })

  test('of a pharmacy without a complete last year: the row says so, and the cell why', () => {
    expect(held).toMatchObject({ change: true, average: true, compared: 1 })
    expect([row, other, begun].map((one) => rowWithoutLastYear(one, held))).toEqual(['', 'no last year', ''])
    expect(belowText(at(other, 'Revenue'))).toBe('10')
    expect(at(other, 'Revenue').words).toBe(
      '10 scripts. Not compared with last year: its data is not complete in both years.',
    )
    expect(at(begun, 'Revenue').words).toContain('its data begins within the period')
    expect(rowWithoutLastYear({ ...other, cells: {} }, held)).toBe('')
    expect(cellOf('AU', 'Adherence', row, 'Diabetes', held).words).toBe('No scripts here in this period.')
  })

  test('without an average says why: too few measured, or hidden for the whole column', () => {
    expect(belowText(at(row, 'Loyalty'))).toBe('not compared')
    expect(at(row, 'Loyalty').words).toContain('too few patients are measured here')
    // Hidden for loyalty only: adherence beside it still has an average.
    const half = heldOf({ ...reply, baseline: { TOTAL: { ...average, loyalty_script_percent: null } } })
    expect(at(row, 'Loyalty', half).words).toContain('the average is hidden here')
    const hidden = heldOf({ ...reply, baseline: {} })
    expect(
      at({ ...row, cells: { TOTAL: { ...cell, adherence_performance: null } } }, 'Adherence', hidden),
    ).toMatchObject({ context: 'no average', words: expect.stringContaining('the average is hidden here') })
  })

  test('if there are no comparisons at all, the head says so and the cells do not', () => {
    const alone = heldOf({ ...reply, baseline: null, baseline_reason: 'Too few.', pharmacies: [other] })
    expect(alone).toMatchObject({ average: false, change: false })
    expect(rowWithoutLastYear(other, alone)).toBe('')
    expect(belowText(at(other, 'Revenue', alone))).toBe('10')
    const bare = { ...other, cells: { TOTAL: { ...cell, adherence_performance: null } } }
    expect(at(bare, 'Adherence', alone)).toMatchObject({
      context: 'not compared',
      words: expect.stringContaining(
        'Not compared with the average: Too few. Not compared with last year: no pharmacy',
      ),
    })
  })
})

test('only the total among the pinned rows has a change, over the pharmacies compared', () => {
  const [total, product, selected] = pinned.map((one) => at(one, 'Adherence'))
  expect(total).toMatchObject({ change: { text: '1.0' } })
  const [unchanged, average] = [pinned[0]!, pinned[2]!].map(
    (one) => cellOf('AU', 'Revenue', one, 'Diabetes', held).words,
  )
  expect(unchanged).toBe('10 scripts. Not compared with last year: there was nothing in either year.')
  expect(average).not.toContain('last year')
  expect(total?.words).toContain('The change is over the 1 pharmacy with complete data in both years.')
  const two = cellOf('AU', 'Adherence', pinned[0]!, 'TOTAL', { ...held, compared: 2 })
  expect(two.words).toContain('The change is over the 2 pharmacies with complete data in both years.')
  expect(product).toMatchObject({ context: 'average', change: null })
  expect(selected).toMatchObject({ context: '+1.6', change: null, noChange: '' })
  expect(cellOf('AU', 'Adherence', pinned[1]!, 'Diabetes', held).words).toBe('Hidden: based on too few pharmacies.')
  const none = { ...held, average: false, baseline: null, noAverage: 'October 2026 has not been calculated yet.' }
  expect(cellOf('AU', 'Adherence', pinned[1]!, 'Diabetes', none).words).toBe(
    'October 2026 has not been calculated yet.',
  )
})
