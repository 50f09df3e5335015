import type { ReactNode } from 'react'
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
