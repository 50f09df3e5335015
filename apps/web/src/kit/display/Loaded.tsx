import type { ReactNode } from 'react'
import styles from './states.module.css'
import { Failed, Loading } from './states.tsx'

export interface Read<Data> {
  data: Data | undefined
  error: { message: string } | null
  refetch: () => unknown
}

interface LoadedProps<Data> {
  read: Read<Data>
  /** What could not be loaded: 'the sending rules'. */
  what: string
  rows?: number
  children: (data: Data) => ReactNode
}

/** What was read; until then that it is loading, or that it failed and how to try again. */
export function Loaded<Data>({ read, what, rows = 6, children }: LoadedProps<Data>) {
  if (read.data !== undefined) return children(read.data)
  if (!read.error) return <Loading rows={rows} />
  return <Failed title={`Could not load ${what}`} error={read.error} onRetry={() => void read.refetch()} />
}

/** The same in a line, for beside a field whose choices are read: what could not be loaded, and how to try again. Null where it was. */
export function notLoaded(what: string, { data, error, refetch }: Read<unknown>): ReactNode {
  if (!error || data !== undefined) return null
  return (
    <span>
      Could not load {what}. {error.message}{' '}
      <button type="button" className={styles.again} onClick={() => void refetch()}>
        Try again
      </button>
    </span>
  )
}
