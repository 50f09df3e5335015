import { Button } from '@mantine/core'
import { CircleAlert, RotateCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Pages } from '../../api/pages.ts'
import { Icon } from '../display/Icon.tsx'
import styles from '../display/states.module.css'

interface MoreProps {
  /** `error`: why the next page did not come, or the list could not be read again. */
  pages: Pick<Pages<unknown>, 'more' | 'loadingMore' | 'error' | 'loadMore' | 'retry'>
}

/** How far below the edge the end may be when the next page is asked for. */
const AHEAD_PX = 400

/** The end of a list that grows: asks for the next page as it comes near the window, and by a button for those who do not scroll. */
export function More({ pages: { more, loadingMore, error, loadMore, retry } }: MoreProps) {
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
  if (error) {
    return (
      <div className={styles.end} role="alert">
        <span className={styles.endFailed}>
          <Icon of={CircleAlert} /> {more ? 'The next page did not load.' : 'This list could not be refreshed.'}{' '}
          {error.message}
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
