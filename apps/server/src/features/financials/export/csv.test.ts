import { expect, it } from 'vitest'
import type { TableAnswer } from '../table-answer.ts'
import { tableCsv } from './csv.ts'
import { tableSheet } from './table-sheet.ts'

const cell = (revenue_value: number) => ({ revenue_value, script_count: 0 }) as TableAnswer['columns'][number]['total']

const table = {
  category: 'Sex',
  period: { key: '2026-10', from: '2026-10-01', to: '2026-10-31', ends: '2026-10-31' },
  columns: [{ field: 'TOTAL', total: cell(-1234) }],
  pharmacies: [],
  ...{ baseline: null, baseline_from: null, baseline_to: null, baseline_reason: null, baseline_pharmacies: 0 },
  ...{ selected_average: {}, selected_pharmacies: 0 },
} as unknown as TableAnswer
const view = { statistic: 'Revenue', sortField: null, sortOrder: 'asc', columns: null, product: 'Pillar' } as const

it('a refund is a number to a spreadsheet, with a keyboard’s minus sign', () => {
  const { text } = tableCsv(table, { ...view, country: 'GB' })
  expect(text).toContain(',"-£1,234"\r\n')
  // The postcode column has the country's heading.
  expect(tableCsv(table, { ...view, country: 'AU' }).text).toContain('Pharmacy,State,Postcode,')
  expect(tableCsv(table, { ...view, country: 'US' }).text).toContain('Pharmacy,State,ZIP code,')
})

it('a British file has no column for a state, which British pharmacies do not have', () => {
  const british = { ...view, country: 'GB' } as const
  const [head, total] = tableCsv(table, british).text.split('\r\n')
  expect(head).toBe('\uFEFFPharmacy,Postcode,Data from,Data to,Period,Note,Statistic,All sexes')
  expect(total).toBe('TOTAL,,,,1 – 31 Oct 2026,0 selected pharmacies,Revenue,"-£1,234"')
  const { columns, rows } = tableSheet(table, british).sheet
  expect(columns.map((one) => one.head).slice(0, 3)).toEqual(['Pharmacy', 'Postcode', 'Data from'])
  for (const row of rows) expect(row).toHaveLength(columns.length)
  const australian = tableSheet(table, { ...view, country: 'AU' }).sheet
  expect(australian.columns[1]!.head).toBe('State')
  for (const row of australian.rows) expect(row).toHaveLength(australian.columns.length)
})

it('keeps name order if the sort column is not in the table, even one that every JavaScript object has', () => {
  const pharmacies = ['Banksia', 'Acacia'].map((pharmacy_name) => ({ pharmacy_name, cells: { TOTAL: cell(1) } }))
  const filled = { ...table, pharmacies } as unknown as TableAnswer
  for (const sortField of ['nothing', 'toString', 'constructor', '__proto__']) {
    const { text } = tableCsv(filled, { ...view, country: 'AU', sortField })
    const names = text.split('\r\n').slice(4, 6)
    expect([sortField, ...names.map((line) => line.split(',')[0])]).toEqual([sortField, 'Acacia', 'Banksia'])
  }
})
