import type { ReactNode } from 'react'
import type { Act } from './acts.tsx'
import type { Sorting } from './useList.ts'
import type { Selection } from './useSelection.ts'

export interface Column<Row> {
  label: string
  cell: (row: Row) => ReactNode
  /** A second, quieter line of the cell. */
  sub?: (row: Row) => ReactNode
  /** The field the server sorts by; without it the column is not sorted. */
  sort?: string
  /** Figures stand at the right. */
  num?: boolean
  width?: number
  /** The words of its head may stand in two lines. */
  wrap?: true
}

export interface DataTableProps<Row> {
  label: string
  rows: readonly Row[]
  idOf: (row: Row) => string
  columns: readonly Column<Row>[]
  /** What a row is called, for those who listen. */
  nameOf?: (row: Row) => string
  sorting?: { by: Sorting | null; onSort: (next: Sorting) => void }
  /** A click anywhere in a row opens what it is about; its first cell holds a link to the same. */
  onOpen?: ((row: Row) => void) | undefined
  /** A row that something is wrong with, shown as such beside its words. */
  isBad?: ((row: Row) => boolean) | undefined
  menu?: ((row: Row) => readonly Act[]) | undefined
  expand?: ((row: Row) => ReactNode) | undefined
  /** The row that is open from the start. */
  opened?: string | undefined
  selection?: Selection<Row, never> | undefined
  /** It stands in another table: where it is long it scrolls in a box of its own. */
  inner?: boolean
  /** Rows above all others that stay in view, such as a total. */
  pinned?: readonly Row[]
}
