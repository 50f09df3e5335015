import { Button } from '@mantine/core'
import { CircleAlert, ClockAlert, RotateCw } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from './Icon.tsx'
import styles from './states.module.css'

/** Longer than a quick answer takes, so that quick answers do not flicker. */
const PATIENCE_MS = 200
const WIDTHS = ['42%', '30%', '38%', '26%', '34%', '40%']

/** Whether something has been loading for longer than a quick answer takes. */
export function useLate(): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return late
}

/** Row skeletons, after 200 ms, with the specification's words. */
export function Loading({ rows = 6, words = 'Loading records, please wait...' }: { rows?: number; words?: string }) {
  if (!useLate()) return null
  return (
    <div role="status">
      <div className={styles.rows} aria-hidden>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move.
          <div key={row} className={styles.row}>
            <i style={{ width: WIDTHS[row % WIDTHS.length] }} />
            <i style={{ width: '4rem' }} />
          </div>
        ))}
      </div>
      <div className={styles.words}>{words}</div>
    </div>
  )
}

interface NothingYetProps {
  title: string
  /** How to get started. */
  children?: ReactNode
  action?: ReactNode
}

/** An empty list, and what to do about it. */
export function NothingYet({ title, children, action }: NothingYetProps) {
  return (
    <div className={styles.state}>
      <h2>{title}</h2>
      {children ? <p>{children}</p> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  )
}

interface NothingMatchesProps {
  title?: string
  /** The number of active filters. */
  filters?: number
  onClear?: () => void
}

/** A list whose filters match nothing. */
export function NothingMatches({ title = 'No records found', filters, onClear }: NothingMatchesProps) {
  return (
    <div className={styles.state}>
      <h2>{title}</h2>
      {filters ? <p>{filters === 1 ? '1 filter is on.' : `${filters} filters are on.`}</p> : null}
      {onClear ? (
        <Button className={styles.action} onClick={onClear}>
          Clear filters
        </Button>
      ) : null}
    </div>
  )
}

interface FailedProps {
  /** What failed: 'Could not load pharmacies'. */
  title: string
  error: { message: string; code?: string | null } | null
  onRetry?: () => void
  /** Another way on, beside Try again. */
  children?: ReactNode
}

/**
 * It failed: what was not done, what the server said, and Try again. Never looks like an empty list. What does not exist is not tried again.
 */
export function Failed({ title, error, onRetry, children }: FailedProps) {
  if (error?.code === 'not_found') return <NotThere title={error.message}>{children}</NotThere>
  return (
    <div className={`${styles.state} ${styles.failed}`} role="alert">
      <h2>
        <Icon of={CircleAlert} /> {title}
      </h2>
      {error ? <p>{error.message}</p> : null}
      {onRetry ? (
        <Button className={styles.action} leftSection={<Icon of={RotateCw} />} onClick={onRetry}>
          Try again
        </Button>
      ) : null}
      {children}
    </div>
  )
}

/** What a link or an older list leads to does not exist: says so, and offers the way back. */
export function NotThere({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.state} role="alert">
      <h2>{title.replace(/\.$/, '')}</h2>
      <p>It may have been removed.</p>
      {children ? <div className={styles.action}>{children}</div> : null}
    </div>
  )
}

interface NotRefreshedProps {
  /** What could not be read again: 'the table'. */
  what: string
  error: { message: string }
  onRetry: () => void
}

/** Reading again failed: shown above the earlier data, which stays. */
export function NotRefreshed({ what, error, onRetry }: NotRefreshedProps) {
  return (
    <div role="alert" className={styles.notRefreshed}>
      <StaleNote>
        Could not refresh {what}. {error.message}{' '}
        <Button size="xs" onClick={onRetry}>
          Try again
        </Button>
      </StaleNote>
    </div>
  )
}

/** Data is older than it should be: names the pharmacies and offers to leave them out. */
export function StaleNote({ children }: { children: ReactNode }) {
  return (
    <div className={styles.stale}>
      <Icon of={ClockAlert} /> <span>{children}</span>
    </div>
  )
}
