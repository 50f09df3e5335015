import { Button } from '@mantine/core'
import { CircleAlert, RotateCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Pages } from '../../../api/pages.ts'
import { Icon } from '../../display/Icon.tsx'
import styles from '../../display/states.module.css'
import { NotRefreshed } from '../../display/states.tsx'

interface MoreProps {
  pages: Pick<Pages<unknown>, 'more' | 'loadingMore' | 'error' | 'stuck' | 'loadMore' | 'retry'>
}

interface NotReadAgainProps {
  pages: Pick<Pages<unknown>, 'rows' | 'error' | 'stuck' | 'retry'>
  /** What the rows are: 'the campaigns'. */
  what: string
}

/** A note above a growing list when it could not be read again. If its next page failed, the end of the list says so. */
export function NotReadAgain({ pages: { rows, error, stuck, retry }, what }: NotReadAgainProps) {
  if (!error || stuck || rows.length === 0) return null
  return <NotRefreshed what={what} error={error} onRetry={retry} />
}

/** The next page is requested once the end is this close to the edge. */
const AHEAD_PX = 400

/** The end of a growing list: requests the next page as it comes near the window, with a button for people who do not scroll. */
export function More({ pages: { more, loadingMore, error, stuck, loadMore, retry } }: MoreProps) {
  const end = useRef<HTMLDivElement>(null)
  const ask = useRef(loadMore)
  ask.current = loadMore
  const wanted = more && !loadingMore && !error
  useEffect(() => {
    if (!wanted || !end.current) return
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) ask.current()
      },
      { rootMargin: `${AHEAD_PX}px` },
    )
    watch.observe(end.current)
    return () => watch.disconnect()
  }, [wanted])
  if (error && stuck) {
    return (
      <div className={styles.end} role="alert">
        <span className={styles.endFailed}>
          <Icon of={CircleAlert} /> The next page did not load. {error.message}
        </span>
        <Button size="xs" leftSection={<Icon of={RotateCw} size={14} />} onClick={retry}>
          Try again
        </Button>
      </div>
    )
  }
  if (!more) return null
  return (
    <div ref={end} className={styles.end}>
      {/* What is not loaded cannot be printed, and must not look as if it did not exist. */}
      <p className={styles.onPaper}>This list continues. To print all of it, scroll to its end first.</p>
      {loadingMore ? (
        <span role="status">Loading records, please wait...</span>
      ) : (
        <Button size="xs" variant="subtle" onClick={loadMore}>
          Load more
        </Button>
      )}
    </div>
  )
}
