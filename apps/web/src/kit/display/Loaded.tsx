import type { ReactNode } from 'react'
import styles from './states.module.css'
import { Failed, Loading, NotRefreshed } from './states.tsx'

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
  /** While it is loading, in place of the usual words. */
  words?: string
  children: (data: Data) => ReactNode
}

/**
 * What was read; until then that it is loading, or that it failed and how to try again. It stays where reading it again
 * fails, and a note above says so.
 */
export function Loaded<Data>({ read: { data, error, refetch }, what, rows = 6, words, children }: LoadedProps<Data>) {
  const again = () => void refetch()
  if (data === undefined) {
    if (error) return <Failed title={`Could not load ${what}`} error={error} onRetry={again} />
    return <Loading rows={rows} {...(words === undefined ? {} : { words })} />
  }
  return (
    <>
      <IfNotRefreshed read={{ data, error, refetch }} what={what} />
      {children(data)}
    </>
  )
}

/** The note above what was read before, where reading it again failed; nothing otherwise. For a page whose head also needs what was read. */
export function IfNotRefreshed({ read: { data, error, refetch }, what }: Pick<LoadedProps<unknown>, 'read' | 'what'>) {
  if (!error || data === undefined) return null
  return <NotRefreshed what={what} error={error} onRetry={() => void refetch()} />
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
