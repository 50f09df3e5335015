import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import { TOTAL } from '@pillar/domain/dispensing/category'
import {
  type CellFigures,
  compareNames,
  NAME_FIELD,
  type PinnedWords,
  pinnedWords,
  type Statistic,
  statisticValue,
} from '@pillar/domain/figure/format'
import type { Country } from '@pillar/domain/time/locale'
import type { ColumnDef } from '@tanstack/react-table'
import { createSortedRowModel, rowSortingFeature, tableFeatures } from '@tanstack/react-table'
import type { Filters } from '../search.ts'
import { ordered, type Taste } from './taste.ts'

export type TableReply = ReplyOf<typeof financials.table>
export type PharmacyRow = TableReply['pharmacies'][number]

export interface PinnedRow extends PinnedWords {
  readonly kind: 'total' | 'baseline' | 'selected'
  readonly cells: Readonly<Record<string, CellFigures>>
  /** The total's changes from a year earlier. */
  readonly changes: TableReply['changes']
}

/** The table only sorts; the server filters, and scrolling replaces pages. */
export const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })

/** All fields, TOTAL first, then in the person's order, or else the server's (largest revenue first). */
export function allFields(reply: TableReply, order: Taste['order']): string[] {
  const parts = reply.columns.map(({ field }) => field).filter((field) => field !== TOTAL)
  return [TOTAL, ...ordered(parts, order[reply.category])]
}

/** The fields of the columns on screen: all, or the selected ones. */
export function shownFields(reply: TableReply, filters: Filters, order: Taste['order']): string[] {
  const fields = allFields(reply, order)
  if (filters.columns === null || reply.category !== filters.category) return fields
  const chosen = new Set(filters.columns)
  return fields.filter((field) => field === TOTAL || chosen.has(field))
}

/** The part of the address that shows these columns; nothing for all of them. */
export function columnSearch(all: readonly string[], shown: readonly string[]): { columns: string[] | undefined } {
  const parts = all.filter((field) => field !== TOTAL)
  const chosen = parts.filter((field) => shown.includes(field))
  return { columns: chosen.length === parts.length ? undefined : chosen }
}

/** The sort in effect: the address's, or by TOTAL if that column is not on screen. */
export function sortOf(filters: Filters, fields: readonly string[]): Filters['sort'] {
  const { field } = filters.sort
  return field === NAME_FIELD || fields.includes(field) ? filters.sort : { field: TOTAL, order: 'desc' }
}

const number = (a: number, b: number) => a - b

/** Column definitions of a statistic: the name, then one value per field; rows without a value stay last in both directions. */
export function columnsOf(
  statistic: Statistic,
  fields: readonly string[],
): ColumnDef<typeof features, PharmacyRow, unknown>[] {
  return [
    {
      id: NAME_FIELD,
      accessorFn: (row) => row.pharmacy_name,
      sortFn: (a, b, id) => compareNames(a.getValue(id), b.getValue(id)),
    },
    ...fields.map(
      (field): ColumnDef<typeof features, PharmacyRow, unknown> => ({
        id: field,
        accessorFn: (row) => statisticValue(statistic, row.cells[field]) ?? undefined,
        sortFn: (a, b, id) => number(a.getValue(id), b.getValue(id)),
        sortUndefined: 'last',
      }),
    ),
  ]
}

interface Words {
  readonly product: string
  readonly country: Country
}

/** The three rows above the pharmacies: TOTAL, the product's average, the average of the selection. */
export function pinnedRows(reply: TableReply, { product, country }: Words): PinnedRow[] {
  const words = pinnedWords(reply, product, country)
  const totals = Object.fromEntries(reply.columns.map(({ field, total }) => [field, total]))
  return [
    { kind: 'total', ...words.total, cells: totals, changes: reply.changes },
    { kind: 'baseline', ...words.baseline, cells: reply.baseline ?? {}, changes: {} },
    { kind: 'selected', ...words.selected, cells: reply.selected_average, changes: {} },
  ]
}
