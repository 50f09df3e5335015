import { type ReactNode, useState } from 'react'
import { Loaded, type Read } from '../display/Loaded.tsx'
import { Dialog } from './Dialog.tsx'

interface ReadDialogProps<Data> {
  title: string
  read: Read<Data> & { isFetching: boolean; isFetchedAfterMount: boolean }
  /** What could not be loaded: 'the sending rules'. */
  what: string
  onClose: () => void
  /** The dialog, once its data is read. */
  children: (data: Data) => ReactNode
}

/**
 * A dialog that reads its data before it opens. Data cached from an earlier dialog is read again first, so that nobody edits an older version.
 * Once open, it stays open even if another read fails.
 */
export function ReadDialog<Data>({ title, read, what, onClose, children }: ReadDialogProps<Data>) {
  const { data, error, refetch } = read
  const [begun, setBegun] = useState(false)
  const ready = data !== undefined && !error && (read.isFetchedAfterMount || !read.isFetching)
  if (ready && !begun) setBegun(true)
  if (data !== undefined && (begun || ready)) return children(data)
  return (
    <Dialog opened size="M" title={title} onClose={onClose}>
      <Loaded read={{ data: undefined, error: read.isFetching ? null : error, refetch }} what={what}>
        {children}
      </Loaded>
    </Dialog>
  )
}
