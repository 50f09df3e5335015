import type { AnswerOf, contract } from '@pillar/contract'
import { SIXTY_DAY_CATEGORIES, type SixtyDayCategory } from '@pillar/domain/sixty-day/choices'
import {
  type Figure,
  figureOf,
  type SixtyDayStatistic,
  type SixtyDaySums,
  type Terms,
} from '@pillar/domain/sixty-day/figure'
import { categoryId } from '../metrics/subcategory.queries.ts'

export type CategoriesAnswer = AnswerOf<(typeof contract)['companySixtyDay']['categories']>

export const ROWS_PER_PAGE = 25
export const NOTHING: Figure = { value: null, numerator: null, denominator: null }

/** The stored category of a key, and its column for the total. */
export function categoryOf(key: SixtyDayCategory) {
  const { all, label, category } = SIXTY_DAY_CATEGORIES.find((one) => one.key === key)!
  return { id: categoryId(category), all, label }
}

/** A row before its cells. */
export interface RowHead {
  uuid: string | null
  name: string
  state: string | null
  postcode: string | null
  pharmacies: number
  complete: boolean
}

/** What the rows are sorted by. */
export interface Order {
  sort_direction: 'asc' | 'desc'
  col?: string | null | undefined
}

const HEADS = ['name', 'state', 'postcode'] as const

/**
 * Rows in the requested order: by name, state or postcode, or by a column's value (the total's unless another is named). Rows without a
 * value come last in either direction, and the name decides between equals.
 * @param valueIn the value of a row in the column sorted by
 */
export function sortRows<R extends RowHead>(
  rows: readonly R[],
  { sort_direction, col }: Order,
  valueIn: (row: R) => number | null,
): R[] {
  const head = HEADS.find((name) => name === col)
  const sign = sort_direction === 'asc' ? 1 : -1
  const byName = (a: R, b: R) => a.name.localeCompare(b.name, 'en') || (a.uuid ?? '').localeCompare(b.uuid ?? '')
  if (head) return [...rows].sort((a, b) => sign * (a[head] ?? '').localeCompare(b[head] ?? '', 'en') || byName(a, b))
  const keyed = rows.map((row) => ({ row, value: valueIn(row) }))
  keyed.sort((a, b) => {
    if (a.value === null || b.value === null)
      return Number(a.value === null) - Number(b.value === null) || byName(a.row, b.row)
    return sign * (a.value - b.value) || byName(a.row, b.row)
  })
  return keyed.map(({ row }) => row)
}

/** Columns: the total first, then by loss, largest first. Only those with something that may be dispensed for 60 days. */
export function sortColumns<C extends SixtyDaySums & { name: string }>(columns: readonly C[]): C[] {
  return columns
    .filter((column) => column.eligible_supplies > 0)
    .sort((a, b) => b.script_pairs - a.script_pairs || a.name.localeCompare(b.name, 'en'))
}

/** Takes one page of rows, and counts the pages. */
export function pageOf<R>(rows: readonly R[], page: number) {
  return {
    rows: rows.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE),
    total: rows.length,
    ...{ per_page: ROWS_PER_PAGE, current_page: page },
    page_count: Math.max(1, Math.ceil(rows.length / ROWS_PER_PAGE)),
  }
}

/** A figure under its column's name. */
export const cellOf = (name: string, sums: SixtyDaySums | undefined, statistic: SixtyDayStatistic, terms: Terms) => ({
  name,
  ...(sums ? figureOf(statistic, sums, terms) : NOTHING),
})
