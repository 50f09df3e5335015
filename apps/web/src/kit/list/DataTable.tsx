import { Checkbox } from '@mantine/core'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../display/Icon.tsx'
import { useScrollFocus } from '../display/useScrollFocus.ts'
import { RowActs } from './acts.tsx'
import styles from './DataTable.module.css'
import { DataTableHead } from './DataTableHead.tsx'
import type { Column, DataTableProps } from './data-table.ts'
import { showOpened } from './page/opened-row.ts'
import { useRowWindow } from './useRowWindow.ts'
import type { Selection } from './useSelection.ts'

/** Up to this many columns have the usual spacing; more are closer together. */
const MOST_WIDE = 9

/**
 * A real table: sticky head, sort by icon and text, rows that open, ticks with Shift, acts at the end of a row. With over 200 rows, only the visible
 * ones are drawn.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, idOf, columns, menu, expand, selection, pinned = [], inner = false } = props
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const openedAt = props.opened === undefined ? -1 : rows.findIndex((row) => idOf(row) === props.opened)
  const drawn = useRowWindow(rows.length, openedAt, inner)
  const scrolling = useScrollFocus(drawn.box, label)
  const width = columns.length + (selection ? 1 : 0) + (expand ? 1 : 0) + (menu ? 1 : 0)
  const dense = columns.length > MOST_WIDE ? `${styles.table} ${styles.dense}` : styles.table
  const nameOf = props.nameOf ?? ((row: Row) => idOf(row))
  const toggle = (id: string) =>
    setTurned((was) => new Set(was.has(id) ? [...was].filter((one) => one !== id) : [...was, id]))
  return (
    <div ref={drawn.box} className={inner && drawn.long ? `${styles.box} ${styles.inner}` : styles.box} {...scrolling}>
      <table className={dense} aria-label={label} aria-rowcount={rows.length + pinned.length + 1}>
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
          const opened = turned.has(id) !== (id === props.opened)
          return (
            <tbody key={id} ref={drawn.measure} data-index={index}>
              <tr
                aria-rowindex={drawn.long ? pinned.length + index + 2 : undefined}
                className={selection?.has(id) ? styles.selected : undefined}
                data-open={opened || undefined}
                data-opens={props.onOpen ? true : undefined}
                data-bad={props.isBad?.(row) || undefined}
                onClick={props.onOpen ? (event) => isPlain(event) && props.onOpen?.(row) : undefined}
              >
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

/** Whether a click is on the row itself, rather than on an interactive element inside or at the end of selecting text. */
const isPlain = ({ target }: { target: EventTarget }) =>
  !(target as Element).closest('a, button, input, label') && window.getSelection()?.isCollapsed !== false

/** The first cell names the row. */
function Cells<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return columns.map(({ label, cell, sub, num }, at) => {
    const className = num ? 'num' : undefined
    if (at > 0) {
      return (
        <td key={label} className={className}>
          {cell(row)}
          {sub ? <span className={styles.sub}>{sub(row)}</span> : null}
        </td>
      )
    }
    return (
      <th key={label} scope="row" className={className}>
        {cell(row)}
        {sub ? <span className={styles.sub}>{sub(row)}</span> : null}
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
      <button
        type="button"
        aria-expanded={opened}
        aria-label={`Details of ${name}`}
        onClick={(event) => {
          onToggle()
          if (!opened) showOpened(event.currentTarget.closest('tr')!)
        }}
      >
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
