import { STATS_SORT_FIELDS } from '@pillar/contract/message/attribution'
import type { PeriodChoice } from '@pillar/domain/time/period'

/** The columns the table can be sorted by, as the server names them. */
export const SORT_FIELDS = STATS_SORT_FIELDS
export type SortField = (typeof SORT_FIELDS)[number]
export interface Sort {
  readonly field: SortField
  readonly order: 'asc' | 'desc'
}

/** What the table shows: a period, the pharmacies whose name contains `find`, and their order. */
export interface TableFilters {
  readonly choice: PeriodChoice
  readonly find: string
  readonly sort: Sort
}

/** What the table changes in the address bar. */
export interface TableSearch {
  find?: string | undefined
  sort?: SortField | undefined
  order?: Sort['order'] | undefined
  page?: number | undefined
}

export const firstOrder = (field: SortField) => (field === 'name' ? 'asc' : 'desc')

/** Sorting by a column: the name starts ascending, a figure descending; choosing the same column again reverses the order. */
export function sortSearch(current: Sort, field: SortField): Pick<TableSearch, 'sort' | 'order'> {
  const first = firstOrder(field)
  const order = current.field === field ? (current.order === 'asc' ? 'desc' : 'asc') : first
  return { sort: field === 'revenue' ? undefined : field, order: order === first ? undefined : order }
}
