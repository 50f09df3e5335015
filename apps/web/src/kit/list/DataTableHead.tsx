import { Checkbox } from '@mantine/core'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { Icon } from '../display/Icon.tsx'
import styles from './DataTable.module.css'
import type { Column, DataTableProps } from './data-table.ts'

/** A table's head: a tick for all visible rows, and the columns, some of which sort. */
export function DataTableHead<Row>({ rows, idOf, columns, sorting, menu, expand, selection }: DataTableProps<Row>) {
  const ticked = rows.filter((row) => selection?.has(idOf(row))).length
  return (
    <thead>
      <tr>
        {selection ? (
          <td className={styles.tick}>
            <Checkbox
              aria-label="Select all rows shown"
              checked={rows.length > 0 && ticked === rows.length}
              indeterminate={ticked > 0 && ticked < rows.length}
              onChange={selection.tickShown}
            />
          </td>
        ) : null}
        {expand ? <td className={styles.opener} /> : null}
        {columns.map((column) => (
          <HeadCell key={column.label} column={column} sorting={sorting} />
        ))}
        {menu ? (
          <td className={styles.acts}>
            <span className="sr">Actions</span>
          </td>
        ) : null}
      </tr>
    </thead>
  )
}

type Sorted = DataTableProps<never>['sorting']

/** A column's head; if the column can be sorted, a button with an arrow. */
export function HeadCell({ column, sorting }: { column: Omit<Column<never>, 'cell'>; sorting: Sorted }) {
  const { label, sort, num, width, wrap } = column
  const by = sort !== undefined && sorting?.by?.field === sort ? sorting.by.order : null
  const style = width ? { width } : undefined
  const className = `${num ? 'num' : ''} ${by ? styles.sorted : ''} ${wrap ? styles.wrap : ''}`
  if (sort === undefined || !sorting) {
    return (
      <th scope="col" className={className} style={style}>
        {label}
      </th>
    )
  }
  const icon = by === 'asc' ? ArrowUp : by === 'desc' ? ArrowDown : ArrowUpDown
  const next = by === 'asc' ? 'desc' : 'asc'
  return (
    <th
      scope="col"
      className={className}
      style={style}
      aria-sort={by === 'asc' ? 'ascending' : by === 'desc' ? 'descending' : 'none'}
    >
      <button type="button" className={styles.sort} onClick={() => sorting.onSort({ field: sort, order: next })}>
        {label} <Icon of={icon} size={14} />
      </button>
    </th>
  )
}
