import type { Cell } from '@pillar/contract/figure'
import { day } from '@pillar/domain/time/day'
import { describe, expect, test } from 'vitest'
import { addsUp, cellTarget, hasPatients, headlineTarget } from '../explain/explain-target.ts'
import { filtersOf, financialsSearch } from '../search.ts'
import {
  columnSearch,
  columnsOf,
  type PharmacyRow,
  pinnedRows,
  shownFields,
  sortOf,
  type TableReply,
} from './table-model.ts'

const cell = (revenue: number): Cell => ({
  revenue_value: revenue,
  script_count: 10,
  adherent_script_percent: 0.8,
  adherence_n: 50,
  adherence_low: 0.67,
  adherence_high: 0.8876,
  adherence_performance: null,
  loyalty_script_percent: null,
  loyalty_n: 0,
  loyalty_low: null,
  loyalty_high: null,
  loyalty_performance: null,
})
const row: PharmacyRow = {
  pharmacy_id: '01890000-0000-7000-8000-000000000001',
  pharmacy_name: 'Northgate Pharmacy',
  state: 'QLD',
  postcode: '4013',
  data_from: '2020-01-01',
  data_to: '2026-11-11',
  begins_before_data: false,
  late: true,
  changes: {},
  cells: { TOTAL: cell(30), Cardiac: cell(20) },
}
const none = {
  categories: [],
  total: {
    ...{ adherent_script_percent: null, adherence_n: 0, adherence_low: null, adherence_high: null },
    revenue_value: 0,
  },
}
const reply: TableReply = {
  category: 'Drug Type',
  period: { key: '2026', label: '', from: '2026-07-01', to: '2026-11-19', ends: '2027-06-30', running: true },
  columns: ['TOTAL', 'Cardiac', 'Diabetes'].map((field) => ({ field, total: cell(99) })),
  baseline: null,
  baseline_pharmacies: 0,
  baseline_from: null,
  baseline_to: null,
  baseline_reason: 'November 2026 appears on 8 Dec 2026. See October 2026 until then.',
  selected_average: { TOTAL: cell(33) },
  selected_pharmacies: 3,
  changes: {},
  pharmacies: [row, row, row],
  best_categories: none,
  worst_categories: none,
}
const filters = (search: unknown) => filtersOf(financialsSearch.parse(search), 'AU', day('2026-11-20'))
const where = { category: 'Drug Type', statistic: 'Revenue', selectedIds: ['a', 'b', 'c'], selectedCount: 3 } as const
const pinned = pinnedRows(reply, { product: 'Pillar', country: 'AU' })

test('the total has the changes of the whole selection; the averages have none', () => {
  const changes = { TOTAL: { revenue_value: 0.04 } } as unknown as TableReply['changes']
  const rows = pinnedRows({ ...reply, changes }, { product: 'Pillar', country: 'AU' })
  expect(rows.map(({ kind, changes }) => [kind, changes])).toEqual([
    ['total', changes],
    ['baseline', {}],
    ['selected', {}],
  ])
})

describe('columns', () => {
  test('are all, or TOTAL and the selected ones, in the order of the answer', () => {
    expect(shownFields(reply, filters({}), {})).toEqual(['TOTAL', 'Cardiac', 'Diabetes'])
    expect(shownFields(reply, filters({}), { 'Drug Type': ['Diabetes'] })).toEqual(['TOTAL', 'Diabetes', 'Cardiac'])
    expect(shownFields(reply, filters({ columns: ['Diabetes', 'Gone'] }), {})).toEqual(['TOTAL', 'Diabetes'])
  })

  test('selected columns of another group do not apply while its answer is loading', () => {
    expect(shownFields(reply, filters({ group: 'Sex', columns: ['Female'] }), {})).toEqual([
      'TOTAL',
      'Cardiac',
      'Diabetes',
    ])
  })

  test('are in the address only if some are missing', () => {
    expect(columnSearch(['TOTAL', 'Cardiac', 'Diabetes'], ['Diabetes', 'Cardiac'])).toEqual({ columns: undefined })
    expect(columnSearch(['TOTAL', 'Cardiac', 'Diabetes'], ['Diabetes'])).toEqual({ columns: ['Diabetes'] })
  })

  test('a sort by a column that is not shown falls back to TOTAL', () => {
    expect(sortOf(filters({ sort: 'Diabetes' }), ['TOTAL', 'Cardiac'])).toEqual({ field: 'TOTAL', order: 'desc' })
    expect(sortOf(filters({ sort: 'pharmacy' }), ['TOTAL'])).toEqual({ field: 'pharmacy', order: 'asc' })
    expect(columnsOf('Revenue', ['TOTAL', 'Cardiac']).map(({ id }) => id)).toEqual(['pharmacy', 'TOTAL', 'Cardiac'])
  })

  test('a pharmacy without a value comes last in both directions', () => {
    const [, total] = columnsOf('Revenue', ['TOTAL'])
    expect(total).toMatchObject({ sortUndefined: 'last' })
  })

  test('three pinned rows; the product average says why there is none, or how far it goes', () => {
    expect(pinned.map(({ name, note }) => `${name}: ${note}`)).toEqual([
      'TOTAL: 3 selected pharmacies',
      'Pillar average: November 2026 appears on 8 Dec 2026. See October 2026 until then.',
      'Selected average: 3 pharmacies',
    ])
    const shown = { ...reply, baseline: {}, baseline_pharmacies: 12, baseline_to: '2026-10-31', baseline_reason: null }
    expect(pinnedRows(shown, { product: 'Pillar', country: 'AU' })[1]?.note).toBe(
      '12 pharmacies, Australia, to 31 Oct 2026',
    )
    const ended = { ...shown, period: { ...reply.period, ends: '2026-10-31' } }
    expect(pinnedRows(ended, { product: 'Pillar', country: 'AU' })[1]?.note).toBe('12 pharmacies, Australia')
    const silent = { ...reply, pharmacies: [row, row, row, row] }
    const words = { product: 'Pillar', country: 'AU' } as const
    expect(pinnedRows(silent, words)[0]?.note).toBe('3 of 4 selected have data')
  })
})

describe('what a cell explains', () => {
  test('a pharmacy’s cell is about that pharmacy and subcategory', () => {
    expect(cellTarget(row, 'Cardiac', where)).toMatchObject({
      number: 'revenue_value',
      subject: 'Northgate Pharmacy',
      part: 'Cardiac',
      subcategory: 'Cardiac',
      pharmacyIds: [row.pharmacy_id],
      empty: false,
      dividedBy: null,
    })
    expect(cellTarget(row, 'TOTAL', where)).toMatchObject({ subcategory: undefined, part: 'All drug types' })
    expect(cellTarget(row, 'Diabetes', where)).toMatchObject({ empty: true })
  })

  test('an average of money is the sum divided, an average share is pooled', () => {
    const average = pinned[2]!
    expect(cellTarget(average, 'TOTAL', where)).toMatchObject({ pharmacyIds: ['a', 'b', 'c'], dividedBy: 3 })
    expect(cellTarget(average, 'TOTAL', { ...where, statistic: 'Loyalty' }).dividedBy).toBeNull()
    expect(cellTarget(pinned[0]!, 'TOTAL', where).dividedBy).toBeNull()
  })

  test('the product average names no pharmacy', () => {
    expect(cellTarget(pinned[1]!, 'TOTAL', where).pharmacyIds).toBeNull()
  })

  test('only the adherence of a single pharmacy has patients to list', () => {
    const adherence = { ...where, statistic: 'Adherence' } as const
    expect(hasPatients(cellTarget(row, 'Cardiac', adherence))).toBe(true)
    expect(hasPatients(cellTarget(row, 'Cardiac', where))).toBe(false)
    expect(hasPatients(cellTarget(pinned[0]!, 'Cardiac', adherence))).toBe(false)
    expect(headlineTarget(['patients', 'patients.sex.male'], ['a'], 'trend').subject).toBe('1 pharmacy')
  })

  test('parts that do not add up are noticed, in numerator and denominator', () => {
    const parts = [
      { numerator: 3, denominator: 4 },
      { numerator: 5.004, denominator: 6 },
    ]
    const whole = (above: number, below: number | null) =>
      addsUp({ numerator: { value: above }, denominator: below === null ? null : { value: below }, pharmacies: parts })
    expect(whole(8, 10)).toBe(true)
    expect(whole(8.02, 10)).toBe(false)
    expect(whole(8, 11)).toBe(false)
    expect(whole(8, null)).toBe(true)
  })

  test('so are sides of a change that do not add up', () => {
    const change = (now: number, previous: number) =>
      addsUp({
        numerator: { value: 9 },
        denominator: null,
        comparison: { kind: 'change', now, previous },
        pharmacies: [
          { numerator: 4, denominator: null, now: 4, previous: 3 },
          { numerator: 5, denominator: null, now: null, previous: null },
        ],
      })
    expect([change(4, 3), change(9, 3), change(4, 2)]).toEqual([true, false, false])
  })
})
