import { STATISTICS } from '@pillar/domain/figure/format'
import { z } from 'zod'
import { periodFields, pharmacyIds } from './period.ts'
import { read } from './wire/call.ts'
import { sheetFile } from './wire/sheet.ts'

/** Selects a table: the pharmacies by the subcategories of a category, in a period. */
export const tableInput = z.object({
  category: z.string().max(100),
  pharmacies: pharmacyIds,
  ...periodFields,
})

/** The table as shown on screen. */
const exportInput = tableInput.extend({
  statistic: z.enum(STATISTICS).default('Revenue'),
  sort_field: z.string().max(200).optional(),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
  /** Columns shown, in order; all when left out. */
  columns: z.array(z.string().max(200)).max(2000).optional(),
})

const example = {
  category: 'Drug Type',
  pharmacies: ['01980000-0000-7000-8000-00000000000b'],
  year: 2026,
  month: 10,
  statistic: 'Revenue' as const,
}

export const tableCsv = read({
  path: '/api/enterprise-pharmacy-table-csv',
  needs: 'data_analytics',
  heavy: true,
  scratch: true,
  answer: 'csv',
  about: 'The table as CSV: the rows, order, columns and words on screen, then how sure each share is.',
  example,
  input: exportInput,
  output: z.object({ filename: z.string(), text: z.string() }),
})

export const tableXlsx = read({
  path: '/api/enterprise-pharmacy-table-xlsx',
  needs: 'data_analytics',
  heavy: true,
  scratch: true,
  answer: 'xlsx',
  about: 'The table as an Excel file: the rows, order and columns on screen, numbers as numbers and dates as dates.',
  example,
  input: exportInput,
  output: sheetFile,
})
