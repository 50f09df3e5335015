import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { sixtyDayTableCsv } from './csv.ts'

const cell = (value: number) => ({ name: 'All ages', value, numerator: null, denominator: null })
const TABLE = {
  data: [
    { uuid: null, name: 'North', state: 'VIC', postcode: '3350', pharmacies: 1, complete: true, categories: [cell(8)] },
  ],
  columns: [cell(8)],
}
const VIEW = { category: 'Age Group', from: '2025-11-01', to: '2026-10-31', first: 'Pharmacy' } as const
const ASKED = { selected_statistic: 'revenue_lost', uptake_percentage: 63, tranche: 'all', net_of_acss: false } as const

function lineFor(asked: Partial<Parameters<typeof sixtyDayTableCsv>[1]>) {
  const [line] = parse(sixtyDayTableCsv(TABLE, { ...ASKED, ...asked }, VIEW).text, { columns: true })
  return line as Record<string, string>
}

it('a line names its days, statistic, uptake and stage, and whether the supply support is deducted', () => {
  const about = { Period: '2025-11-01 to 2026-10-31', Uptake: '63%', 'All ages': '8.00' }
  expect(lineFor({})).toMatchObject({ ...about, Statistic: 'Revenue lost', Tranche: 'All Molecules' })
  expect(lineFor({ tranche: '1', net_of_acss: true })).toMatchObject({
    ...{ ...about, Statistic: 'Revenue lost, less the supply support', Tranche: 'Tranche 1' },
  })
  // It is deducted from revenue alone.
  expect(lineFor({ selected_statistic: 'scripts_lost', net_of_acss: true }).Statistic).toBe('Scripts lost')
})
