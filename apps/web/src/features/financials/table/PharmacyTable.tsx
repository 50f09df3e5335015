import { byName, NAME_FIELD, type Statistic } from '@pillar/domain/figure/format'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { useTable } from '@tanstack/react-table'
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useState } from 'react'
import { scrollEdges } from '../../../kit/display/scroll-edges.ts'
import { usePrinting } from '../../../kit/display/usePrinting.ts'
import type { Filters, FinancialsSearch } from '../search.ts'
import { cellOf, heldOf } from './cell-against.ts'
import { moved, type Place } from './grid-keys.ts'
import styles from './PharmacyTable.module.css'
import { PrintTable } from './PrintTable.tsx'
import { type DrawnColumns, FigureRow, HeadRow } from './TableRows.tsx'
import { columnsOf, features, type PharmacyRow, type PinnedRow, type TableReply } from './table-model.ts'
import type { Density } from './taste.ts'
import { useGridWindow } from './useGridWindow.ts'

interface PharmacyTableProps {
  reply: TableReply
  pinned: readonly PinnedRow[]
  fields: readonly string[]
  statistic: Statistic
  sort: Filters['sort']
  density: Density
  country: Country
  today: Day
  /** The screen's period, as in the address, with which a pharmacy's page opens. */
  period: FinancialsSearch['period']
  onSort: (field: string) => void
  /** Opens a figure (its column's field) or a pharmacy's name (NAME_FIELD). */
  onOpen: (row: PharmacyRow | PinnedRow, field: string) => void
  /** The rows in view, counted from 1. */
  onView: (first: number, last: number) => void
}

const PINNED = 3

/** Pharmacies by subcategory. A real table that draws only its visible part, and works as a grid for the keyboard. */
export function PharmacyTable(props: PharmacyTableProps) {
  const { reply, pinned, fields, statistic, sort, density, country, today, period } = props
  const printing = usePrinting()
  const sorted = useSorted(props)
  const grid = useGridWindow(sorted.length, fields.length, density)
  const { box, rows, columns, nameWidth, columnWidth } = grid
  const { active, activeIn, rowAt, onFocus, onKeyDown, onClick } = useActiveCell(props, sorted, grid)
  const drawn = useDrawnColumns(columns.getVirtualItems(), fields, columnWidth)

  const held = useMemo(() => heldOf(reply), [reply])
  const row = active && rowAt(active.row)
  const field = active && fields[active.col - 1]
  const said = row && field !== null && field !== undefined ? cellOf(country, statistic, row, field, held).words : ''
  const shared = { columns: drawn, statistic, country, sortField: sort.field, today, held, period }
  useEffect(() => scrollEdges(box.current), [box])
  useReported(rows.range, sorted.length, props.onView)
  return (
    <>
      <div ref={box} className={styles.box} style={styleOf(grid)}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: with keyboard movement cell by cell, a table is a grid
          role="grid"
          aria-label={`Pharmacies by ${reply.category.toLowerCase()}, ${statistic.toLowerCase()}`}
          aria-rowcount={sorted.length + PINNED + 1}
          aria-colcount={fields.length + 1}
          aria-activedescendant={active ? `cell-${active.row}-${active.col}` : undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onClick={onClick}
          onFocus={onFocus}
          className={density === 'compact' ? `${styles.table} ${styles.compact}` : styles.table}
          style={{ width: nameWidth + columnWidth * fields.length }}
        >
          <Widths name={nameWidth} column={columnWidth} drawn={drawn} />
          <thead>
            <HeadRow {...{ statistic, held, sort }} category={reply.category} columns={drawn} active={activeIn(0)} />
          </thead>
          <tbody className={styles.pinned}>
            {pinned.map((row, index) => (
              <FigureRow key={row.kind} {...shared} row={row} index={index + 1} active={activeIn(index + 1)} />
            ))}
          </tbody>
          <DrawnRows rows={rows} sorted={sorted} activeIn={activeIn} shared={shared} />
        </table>
      </div>
      {said === '' ? null : (
        <p className={styles.tip} aria-hidden>
          {said}
        </p>
      )}
      {printing ? (
        <PrintTable
          {...{ statistic, fields, pinned, country, today, held }}
          category={reply.category}
          rows={sorted.map(({ original }) => original)}
        />
      ) : null}
    </>
  )
}

/** The sizes that the style sheet needs: the head's own height at least, and the height it takes, under which the pinned rows stick. */
const styleOf = ({ nameWidth, headHeight, headDrawn, rowHeight }: ReturnType<typeof useGridWindow>) =>
  ({
    '--name': `${nameWidth}px`,
    '--head': `${headHeight}px`,
    '--head-drawn': `${headDrawn}px`,
    '--row': `${rowHeight}px`,
  }) as object

/** The pharmacies in the requested order. */
function useSorted({ reply, fields, statistic, sort }: PharmacyTableProps): Sorted {
  // The table caches each row's values until its rows change, so another statistic needs new rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const data = useMemo(() => byName(reply.pharmacies), [reply, statistic])
  const columnDefs = useMemo(() => columnsOf(statistic, fields), [statistic, fields])
  const sorting = useMemo(() => [{ id: sort.field, desc: sort.order === 'desc' }], [sort.field, sort.order])
  const table = useTable({
    features,
    columns: columnDefs,
    data,
    state: { sorting },
    getRowId: (row) => row.pharmacy_id,
  })
  return table.getRowModel().rows
}

type Sorted = readonly { id: string; original: PharmacyRow }[]

/** The cell reached by keys and clicks, and what they do there: a head sorts, a name or figure opens. */
function useActiveCell(props: PharmacyTableProps, sorted: Sorted, grid: ReturnType<typeof useGridWindow>) {
  const { fields, pinned, onSort, onOpen } = props
  const { box, rows, columns, narrow, pinnedHeight, rowHeight } = grid
  const [active, setActive] = useState<Place | null>(null)
  const rowAt = (index: number) => (index <= PINNED ? pinned[index - 1] : sorted[index - PINNED - 1]?.original)
  const open = (place: Place) => {
    const field = place.col === 0 ? NAME_FIELD : fields[place.col - 1]
    if (field === undefined) return
    const row = rowAt(place.row)
    if (place.row === 0) onSort(field)
    else if (row) onOpen(row, field)
  }
  const go = (to: Place) => {
    setActive(to)
    if (to.row > PINNED) rows.scrollToIndex(to.row - PINNED - 1)
    if (to.col > 0) columns.scrollToIndex(to.col - 1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const from = active ?? { row: PINNED + 1, col: 0 }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      return open(from)
    }
    const view = narrow ? window.innerHeight : (box.current?.clientHeight ?? 0)
    const page = Math.max(1, Math.floor((view - pinnedHeight) / rowHeight) - 1)
    const size = { rows: sorted.length + PINNED + 1, cols: fields.length + 1, page }
    const to = moved(event.key, event.ctrlKey || event.metaKey, from, size)
    if (!to) return
    event.preventDefault()
    go(to)
  }
  const onClick = (event: MouseEvent) => {
    // A name is a link of its own, and can open in another tab.
    if ((event.target as Element).closest('a')) return
    const cell = (event.target as Element).closest<HTMLElement>('[data-col]')
    if (!cell) return
    const place = { row: Number(cell.dataset.row), col: Number(cell.dataset.col) }
    setActive(place)
    open(place)
  }
  const activeIn = (row: number) => (active?.row === row ? active.col : -1)
  const onFocus = () => setActive((old) => old ?? { row: PINNED + 1, col: 0 })
  return { active, activeIn, rowAt, onFocus, onKeyDown, onClick }
}

interface DrawnRowsProps {
  rows: ReturnType<typeof useGridWindow>['rows']
  sorted: Sorted
  activeIn: (row: number) => number
  shared: Omit<Parameters<typeof FigureRow>[0], 'row' | 'index' | 'active'>
}

/** The rows in view, between two gaps as high as the rows outside it. */
function DrawnRows({ rows, sorted, activeIn, shared }: DrawnRowsProps) {
  const items = rows.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  const above = first ? first.start - rows.options.scrollMargin : 0
  const below = last ? rows.getTotalSize() - (last.end - rows.options.scrollMargin) : 0
  return (
    <tbody>
      <Spacer height={above} />
      {items.map(({ index }) => {
        const row = sorted[index]
        const place = index + PINNED + 1
        return row ? (
          <FigureRow key={row.id} {...shared} row={row.original} index={place} active={activeIn(place)} />
        ) : null
      })}
      <Spacer height={below} />
    </tbody>
  )
}

function Widths({ name, column, drawn }: { name: number; column: number; drawn: DrawnColumns }) {
  return (
    <colgroup>
      <col style={{ width: name }} />
      {drawn.before > 0 ? <col style={{ width: drawn.before }} /> : null}
      {drawn.fields.map((field) => (
        <col key={field} style={{ width: column }} />
      ))}
      {drawn.after > 0 ? <col style={{ width: drawn.after }} /> : null}
    </colgroup>
  )
}

function Spacer({ height }: { height: number }) {
  return height > 0 ? (
    <tr aria-hidden className={styles.spacer}>
      <td style={{ height }} />
    </tr>
  ) : null
}

/** The drawn columns as one value that changes only when other columns come into view, which avoids redrawing rows. */
function useDrawnColumns(
  items: readonly { index: number }[],
  fields: readonly string[],
  columnWidth: number,
): DrawnColumns {
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? Math.min(fields.length, 8) - 1
  return useMemo(
    () => ({
      fields: fields.slice(first, last + 1),
      first,
      before: first * columnWidth,
      after: Math.max(0, fields.length - 1 - last) * columnWidth,
    }),
    [first, last, fields, columnWidth],
  )
}

/** Reports which rows are in view, whenever they change. */
function useReported(
  range: { startIndex: number; endIndex: number } | null,
  count: number,
  onView: (first: number, last: number) => void,
) {
  const first = count === 0 ? 0 : (range?.startIndex ?? 0) + 1
  const last = Math.min(count, (range?.endIndex ?? 0) + 1)
  useEffect(() => onView(first, last), [first, last, onView])
}
