import { expect, it } from 'vitest'
import type { TableAnswer } from '../table-answer.ts'
import { tableCsv } from './csv.ts'

const cell = (revenue_value: number) => ({ revenue_value, script_count: 0 }) as TableAnswer['columns'][number]['total']

it('money given back is a number to a spreadsheet, with the minus sign of a keyboard', () => {
  const table = {
    category: 'Sex',
    period: { key: '2026-10', from: '2026-10-01', to: '2026-10-31', ends: '2026-10-31' },
    columns: [{ field: 'TOTAL', total: cell(-1234) }],
    pharmacies: [],
    ...{ baseline: null, baseline_from: null, baseline_to: null, baseline_reason: null, baseline_pharmacies: 0 },
    ...{ selected_average: {}, selected_pharmacies: 0 },
  } as unknown as TableAnswer
  const view = { statistic: 'Revenue', sortField: null, sortOrder: 'asc', columns: null, product: 'Pillar' } as const
  const { text } = tableCsv(table, { ...view, country: 'GB' })
  expect(text).toContain(',"-£1,234"\r\n')
  // The head of a postal code is that of the country.
  expect(text).toContain('Pharmacy,State,Postcode,')
  expect(tableCsv(table, { ...view, country: 'US' }).text).toContain('Pharmacy,State,ZIP code,')
})
