import { Button } from '@mantine/core'
import { CircleAlert, RotateCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Icon } from './Icon.tsx'
import styles from './states.module.css'

interface MoreProps {
  hasMore: boolean
  growing: boolean
  /** Why the next page did not come, or the list could not be read again. */
  error: { message: string } | null
  onMore: () => void
  onRetry: () => void
}

/** How far below the edge the end may be when the next page is asked for. */
const AHEAD_PX = 400

/** The end of a list that grows: asks for the next page as it comes near the window, and by a button for those who do not scroll. */
export function More({ hasMore, growing, error, onMore, onRetry }: MoreProps) {
  const end = useRef<HTMLDivElement>(null)
  const ask = useRef(onMore)
  ask.current = onMore
  const wanted = hasMore && !growing && !error
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
          <Icon of={CircleAlert} /> {hasMore ? 'The next page did not load.' : 'This list could not be refreshed.'}{' '}
          {error.message}
        </span>
        <Button size="xs" leftSection={<Icon of={RotateCw} size={14} />} onClick={onRetry}>
          Try again
        </Button>
      </div>
    )
  }
  if (!hasMore) return null
  return (
    <div ref={end} className={styles.end}>
      {growing ? (
        <span role="status">Loading records, please wait...</span>
      ) : (
        <Button size="xs" variant="subtle" onClick={onMore}>
          Load more
        </Button>
      )}
    </div>
  )
}
