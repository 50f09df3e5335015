import { Button } from '@mantine/core'
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
  /** Replaces the usual words while loading. */
  words?: string
  /** For one page of several: a page that could not be loaded leaves a way back to the one before it. */
  paged?: { page: number; onPage: (page: number) => void }
  children: (data: Data) => ReactNode
}

/**
 * A read's data; until it arrives, a loading state, or the failure with a way to try again. The data stays if reading it again fails, with a note
 * above it.
 */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { what, rows = 6, words, paged, children } = props
  const { data, error, refetch } = props.read
  const again = () => void refetch()
  if (data === undefined) {
    if (error && paged && paged.page > 1) {
      const { page, onPage } = paged
      return (
        <Failed title={`Could not load page ${page} of ${what}`} error={error} onRetry={again}>
          <Button className={styles.action} onClick={() => onPage(page - 1)}>
            Back to page {page - 1}
          </Button>
        </Failed>
      )
    }
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

/** The note above earlier data when reading it again failed; nothing otherwise. For a page whose head also needs the data. */
export function IfNotRefreshed({ read: { data, error, refetch }, what }: Pick<LoadedProps<unknown>, 'read' | 'what'>) {
  if (!error || data === undefined) return null
  return <NotRefreshed what={what} error={error} onRetry={() => void refetch()} />
}

/** The same in one line, beside a field whose options are read: what could not be loaded, with a way to try again. Null if it was loaded. */
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
