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
  /** Figures are right-aligned. */
  num?: boolean
  width?: number
  /** The words of its head may wrap onto two lines. */
  wrap?: true
}

export interface DataTableProps<Row> {
  label: string
  rows: readonly Row[]
  idOf: (row: Row) => string
  columns: readonly Column<Row>[]
  /** The name of a row, for screen readers. */
  nameOf?: (row: Row) => string
  sorting?: { by: Sorting | null; onSort: (next: Sorting) => void }
  /** A click anywhere in a row opens its subject; its first cell has a link to the same. */
  onOpen?: ((row: Row) => void) | undefined
  /** Whether something is wrong with a row, which its look then shows in addition to its words. */
  isBad?: ((row: Row) => boolean) | undefined
  menu?: ((row: Row) => readonly Act[]) | undefined
  expand?: ((row: Row) => ReactNode) | undefined
  /** The row that is open initially. */
  opened?: string | undefined
  selection?: Selection<Row, never> | undefined
  /** The table is inside another one: if it is long, it scrolls in its own box. */
  inner?: boolean
  /** Rows above all others that stay in view, such as a total. */
  pinned?: readonly Row[]
}
