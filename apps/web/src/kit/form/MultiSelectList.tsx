import { Button, Combobox } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Check } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { fontScale } from '../../shared/font-scale.ts'
import { Icon } from '../display/Icon.tsx'
import styles from './MultiSelect.module.css'
import { allChosen, type SelectOption } from './multi-select-model.ts'

const ROW = 32

interface MultiSelectListProps {
  id: string
  label: string
  shown: readonly SelectOption[]
  chosen: ReadonlySet<string>
  /** The index reached by keyboard. */
  at: number
  onToggle: (index: number) => void
  /** Null if the list shows only some of the options. */
  onToggleAll: (() => void) | null
  /** Reads the next page; null at the end. */
  more: (() => void) | null
  busy: boolean
  /** Shown if there are no rows. */
  empty: string
}

/** The next page is read this many rows before the end. */
const AHEAD = 3

/** The open list: Select All with a count, then the visible options. */
export function MultiSelectList(props: MultiSelectListProps) {
  const { id, label, shown, chosen, at, onToggle, onToggleAll, more, busy, empty } = props
  const box = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW * fontScale(),
    overscan: 6,
  })
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at)
  }, [at, rows])
  const last = rows.getVirtualItems().at(-1)?.index ?? 0
  useEffect(() => {
    if (more && !busy && last >= shown.length - 1 - AHEAD) more()
  }, [more, busy, last, shown.length])
  const all = allChosen(shown, chosen)
  return (
    <>
      <div className={styles.all}>
        {onToggleAll ? (
          <Button variant="subtle" size="xs" onClick={onToggleAll} disabled={shown.length === 0}>
            {all ? 'Clear all' : 'Select All'}
          </Button>
        ) : null}
        <span aria-live="polite">
          {chosen.size} selected, {shown.length} shown{busy ? '. Loading records, please wait...' : ''}
        </span>
      </div>
      {shown.length === 0 && !busy ? <Combobox.Empty>{empty}</Combobox.Empty> : null}
      <Combobox.Options ref={box} className={styles.list} aria-label={label} tabIndex={-1}>
        <div role="presentation" style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map((row) => {
            const option = shown[row.index]!
            const on = chosen.has(option.value)
            return (
              <Combobox.Option
                key={option.value}
                ref={rows.measureElement}
                data-index={row.index}
                id={`${id}-${row.index}`}
                value={option.value}
                active={on}
                selected={row.index === at}
                aria-selected={on}
                aria-setsize={shown.length}
                aria-posinset={row.index + 1}
                className={styles.option}
                style={{ position: 'absolute', top: 0, left: 0, right: 0, transform: `translateY(${row.start}px)` }}
                onClick={() => onToggle(row.index)}
              >
                <span className={on ? `${styles.tick} ${styles.on}` : styles.tick}>
                  {on ? <Icon of={Check} size={12} /> : null}
                </span>
                <span className={styles.name}>{option.label}</span>
                {option.note ? <span className={styles.note}>{option.note}</span> : null}
              </Combobox.Option>
            )
          })}
        </div>
      </Combobox.Options>
    </>
  )
}
