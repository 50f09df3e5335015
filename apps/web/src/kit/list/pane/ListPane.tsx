import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import type { Pages } from '../../../api/pages.ts'
import { Failed, Loading } from '../../display/states.tsx'
import { useSmall } from '../../display/useSmall.ts'
import { More, NotReadAgain } from './More.tsx'
import styles from './TwoPane.module.css'

interface ListPaneProps<Row> {
  label: string
  pages: Pages<Row>
  idOf: (row: Row) => string
  selected: string | null
  onSelect: (id: string) => void
  /** The content of a list item. */
  item: (row: Row) => ReactNode
  /** Shown for an empty list: nothing yet, or nothing matches. */
  empty: ReactNode
  /** What the rows are: 'the campaigns'. */
  what: string
  /** Items of 50 px: a name and one line. */
  compact?: boolean
}

/** The scrolling list of a two-pane dialog. Loads the next page at its end; arrow keys move between the items. */
export function ListPane<Row>(props: ListPaneProps<Row>) {
  const { label, pages, idOf, selected, onSelect, item, empty, what, compact = false } = props
  const small = useSmall()
  const list = useRef<HTMLUListElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    const items = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])]
    const next = items[items.indexOf(document.activeElement as HTMLElement) + step]
    if (!next) return
    event.preventDefault()
    next.focus()
  }
  if (pages.rows.length === 0) {
    if (pages.loading || pages.rereading) return <Loading rows={4} />
    if (pages.error) return <Failed title={`Could not load ${what}`} error={pages.error} onRetry={pages.retry} />
    return empty
  }
  return (
    <div className={styles.scroll} data-compact={compact || undefined} data-stale={pages.stale || undefined}>
      <NotReadAgain pages={pages} what={what} />
      <ul ref={list} aria-label={label}>
        {pages.rows.map((row) => {
          const id = idOf(row)
          // With one pane at a time, the list does not mark the item that a second pane would show.
          const on = !small && id === selected
          return (
            <li key={id}>
              <button
                type="button"
                className={on ? `${styles.item} ${styles.on}` : styles.item}
                aria-current={on || undefined}
                onClick={() => onSelect(id)}
                onKeyDown={onKeyDown}
              >
                {item(row)}
              </button>
            </li>
          )
        })}
      </ul>
      <More pages={pages} />
    </div>
  )
}
