import { Checkbox } from '@mantine/core'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Icon } from '../display/Icon.tsx'
import { type Act, RowActs } from './acts.tsx'
import styles from './DataTable.module.css'
import { DataTableHead } from './DataTableHead.tsx'
import type { Sorting } from './useList.ts'
import { useRowWindow } from './useRowWindow.ts'
import type { Selection } from './useSelection.ts'

export interface Column<Row> {
  label: string
  cell: (row: Row) => ReactNode
  /** The field the server sorts by; without it the column is not sorted. */
  sort?: string
  /** Figures stand at the right. */
  num?: boolean
  width?: number
}

export interface DataTableProps<Row> {
  label: string
  rows: readonly Row[]
  idOf: (row: Row) => string
  columns: readonly Column<Row>[]
  /** What a row is called, for those who listen. */
  nameOf?: (row: Row) => string
  sorting?: { by: Sorting | null; onSort: (next: Sorting) => void }
  menu?: ((row: Row) => readonly Act[]) | undefined
  expand?: ((row: Row) => ReactNode) | undefined
  selection?: Selection<Row, never> | undefined
  /** Rows above all others that stay in view, such as a total. */
  pinned?: readonly Row[]
}

/** A real table: sticky head, sort by icon and text, rows that open, ticks with Shift, acts at the end of a row; over 200 rows only those in view are drawn. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, idOf, columns, menu, expand, selection, pinned = [] } = props
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const drawn = useRowWindow(rows.length)
  const width = columns.length + (selection ? 1 : 0) + (expand ? 1 : 0) + (menu ? 1 : 0)
  const nameOf = props.nameOf ?? ((row: Row) => idOf(row))
  const toggle = (id: string) =>
    setOpen((was) => new Set(was.has(id) ? [...was].filter((one) => one !== id) : [...was, id]))
  return (
    <div ref={drawn.box} className={styles.box}>
      <table className={styles.table} aria-label={label} aria-rowcount={rows.length + pinned.length + 1}>
        <DataTableHead {...props} />
        {pinned.length > 0 ? (
          <tbody className={styles.pinned}>
            {pinned.map((row) => (
              <tr key={idOf(row)}>
                {selection ? <td /> : null}
                {expand ? <td /> : null}
                <Cells row={row} columns={columns} />
                {menu ? <td /> : null}
              </tr>
            ))}
          </tbody>
        ) : null}
        <Gap height={drawn.before} width={width} />
        {rows.slice(drawn.first, drawn.last).map((row, offset) => {
          const index = drawn.first + offset
          const id = idOf(row)
          const opened = open.has(id)
          return (
            <tbody key={id} ref={drawn.measure} data-index={index}>
              <tr className={selection?.has(id) ? styles.selected : undefined} data-open={opened || undefined}>
                {selection ? <Tick row={nameOf(row)} id={id} index={index} selection={selection} /> : null}
                {expand ? <Opener name={nameOf(row)} opened={opened} onToggle={() => toggle(id)} /> : null}
                <Cells row={row} columns={columns} />
                {menu ? (
                  <td className={styles.acts}>
                    <RowActs acts={menu(row)} of={nameOf(row)} />
                  </td>
                ) : null}
              </tr>
              {expand && opened ? (
                <tr className={styles.expanded}>
                  <td colSpan={width}>
                    <div className={styles.inside}>{expand(row)}</div>
                  </td>
                </tr>
              ) : null}
            </tbody>
          )
        })}
        <Gap height={drawn.after} width={width} />
      </table>
    </div>
  )
}

/** The first cell names the row. */
function Cells<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return columns.map(({ label, cell, num }, at) => {
    const className = num ? 'num' : undefined
    if (at > 0) {
      return (
        <td key={label} className={className}>
          {cell(row)}
        </td>
      )
    }
    return (
      <th key={label} scope="row" className={className}>
        {cell(row)}
      </th>
    )
  })
}

interface TickProps {
  row: string
  id: string
  index: number
  selection: Pick<Selection<never, never>, 'has' | 'tick'>
}

function Tick({ row, id, index, selection }: TickProps) {
  return (
    <td className={styles.tick}>
      <Checkbox
        aria-label={`Select ${row}`}
        checked={selection.has(id)}
        onChange={(event) => selection.tick(index, (event.nativeEvent as MouseEvent).shiftKey)}
      />
    </td>
  )
}

function Opener({ name, opened, onToggle }: { name: string; opened: boolean; onToggle: () => void }) {
  return (
    <td className={styles.opener}>
      <button type="button" aria-expanded={opened} aria-label={`Details of ${name}`} onClick={onToggle}>
        <Icon of={opened ? ChevronDown : ChevronRight} />
      </button>
    </td>
  )
}

function Gap({ height, width }: { height: number; width: number }) {
  if (height <= 0) return null
  return (
    <tbody aria-hidden>
      <tr className={styles.gap}>
        <td colSpan={width} style={{ height }} />
      </tr>
    </tbody>
  )
}
