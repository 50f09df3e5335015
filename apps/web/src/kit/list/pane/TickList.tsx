import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { fontScale, rem } from '../../../shared/font-scale.ts'
import styles from './TickList.module.css'

interface TickListProps<Row> {
  label: string
  rows: readonly Row[]
  idOf: (row: Row) => string
  ticked: ReadonlySet<string>
  onTick: (row: Row) => void
  /** Whether a row cannot be ticked; its text says why. */
  isDisabled?: (row: Row) => boolean
  /** A row's content, after its tick. */
  children: (row: Row) => ReactNode
  /** Least height of a row in the design's pixels, which long words exceed; default 32. */
  rowHeight?: number
  /** The class of the box, which sets its height. */
  className?: string
}

/**
 * Many rows to tick, of which only the visible ones are drawn: arrows move, Space and Enter tick. Give it the search term as its key, so that new
 * results start at the top.
 */
export function TickList<Row>(props: TickListProps<Row>) {
  const { label, rows, idOf, ticked, onTick, isDisabled, children, rowHeight = 32, className = '' } = props
  const id = useId()
  const [at, setAt] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const drawn = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight * fontScale(),
    overscan: 6,
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      const index = Math.max(0, Math.min(rows.length - 1, to))
      setAt(index)
      drawn.scrollToIndex(index)
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      const row = rows[at]
      if (row !== undefined) onTick(row)
    }
  }
  if (rows.length === 0) return <None className={className} />
  return (
    <div
      ref={box}
      className={`${styles.box} ${className}`}
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      aria-activedescendant={`${id}-${at}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: drawn.getTotalSize(), position: 'relative' }}>
        {drawn.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <Option
              key={idOf(row)}
              id={`${id}-${index}`}
              measure={drawn.measureElement}
              place={{ index, count: rows.length }}
              on={ticked.has(idOf(row))}
              at={index === at}
              disabled={isDisabled?.(row) ?? false}
              style={{ minHeight: rem(rowHeight), transform: `translateY(${start}px)` }}
              onClick={() => {
                setAt(index)
                onTick(row)
              }}
            >
              {children(row)}
            </Option>
          )
        })}
      </div>
    </div>
  )
}

function None({ className }: { className: string }) {
  return (
    // A list box with nothing but words would be read out as a broken list.
    <div className={`${styles.box} ${className}`} role="status">
      <p className={styles.none}>No records found</p>
    </div>
  )
}

interface OptionProps {
  id: string
  /** Tells the list how high the row is. */
  measure: (element: Element | null) => void
  place: { index: number; count: number }
  on: boolean
  /** Whether the keyboard is on this row. */
  at: boolean
  disabled: boolean
  style: CSSProperties
  onClick: () => void
  children: ReactNode
}

function Option({ id, measure, place, on, at, disabled, style, onClick, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the list, which holds the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the list holds the focus and names the active option
    <div
      ref={measure}
      data-index={place.index}
      id={id}
      role="option"
      aria-selected={on}
      aria-disabled={disabled || undefined}
      aria-setsize={place.count}
      aria-posinset={place.index + 1}
      className={at ? `${styles.row} ${styles.at}` : styles.row}
      style={style}
      onClick={onClick}
    >
      <span className={on ? `${styles.tick} ${styles.on}` : styles.tick} aria-hidden />
      {children}
    </div>
  )
}
