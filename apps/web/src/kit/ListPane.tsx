import { Button } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import type { Pages } from '../api/pages.ts'
import { Failed, Loading } from './states.tsx'
import styles from './TwoPane.module.css'

interface ListPaneProps<Row> {
  label: string
  pages: Pages<Row>
  idOf: (row: Row) => string
  selected: string | null
  onSelect: (id: string) => void
  /** What stands in an item of the list. */
  item: (row: Row) => ReactNode
  /** Shown when nothing is there: nothing yet, or nothing matches. */
  empty: ReactNode
  /** What could not be loaded: 'Could not load templates'. */
  failed: string
}

/** The scrolled list of a two-pane dialog. Loads the next page at its end; arrow keys move between the items. */
export function ListPane<Row>(props: ListPaneProps<Row>) {
  const { label, pages, idOf, selected, onSelect, item, empty, failed } = props
  const end = useRef<HTMLDivElement>(null)
  const { more, loadMore, error } = pages
  const latest = useRef(loadMore)
  useEffect(() => {
    latest.current = loadMore
  })
  // Watched anew after every page: an end that stays in view tells nobody again.
  const shown = pages.rows.length
  useEffect(() => {
    const mark = end.current
    if (!mark || !more || shown === 0) return
    const watch = new IntersectionObserver((seen) => {
      if (seen.some((entry) => entry.isIntersecting)) latest.current()
    })
    watch.observe(mark)
    return () => watch.disconnect()
  }, [more, shown])
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
    const next = items[items.indexOf(document.activeElement as HTMLElement) + step]
    if (!next) return
    event.preventDefault()
    next.focus()
  }
  if (pages.rows.length === 0) {
    if (pages.loading) return <Loading rows={4} />
    if (error) return <Failed title={failed} error={error} onRetry={pages.retry} />
    return empty
  }
  return (
    <div className={styles.scroll}>
      <ul aria-label={label} onKeyDown={onKeyDown}>
        {pages.rows.map((row) => {
          const id = idOf(row)
          const on = id === selected
          return (
            <li key={id}>
              <button
                type="button"
                className={on ? `${styles.item} ${styles.on}` : styles.item}
                aria-current={on || undefined}
                onClick={() => onSelect(id)}
              >
                {item(row)}
              </button>
            </li>
          )
        })}
      </ul>
      {error ? <Failed title={failed} error={error} onRetry={pages.retry} /> : null}
      {more && !error ? (
        <div ref={end} className={styles.more}>
          <Button variant="subtle" size="xs" onClick={loadMore} loading={pages.loadingMore}>
            Show more
          </Button>
        </div>
      ) : null}
    </div>
  )
}
