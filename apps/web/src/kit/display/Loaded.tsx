import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './states.module.css'
import { Failed, Loading, NotRefreshed, NotThere } from './states.tsx'

export interface Read<Data> {
  data: Data | undefined
  error: { message: string; code?: string | null; status?: number } | null
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
  /** For a page about one item, which may not exist: a link to the list it belongs to. */
  back?: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * A read's data; until it arrives, a loading state, or the failure with a way to try again. The data stays if reading it again fails, with a note
 * above it.
 */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { what, rows = 6, words, paged, back, children } = props
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
    // An address whose id is no id at all is refused as invalid.
    if (error && back && (error.code === 'not_found' || error.status === 422))
      return <NotThere title={`${what.replace(/^th(e|is) /, 'That ')} was not found`}>{back}</NotThere>
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
