import type { ReactNode } from 'react'
import { Loaded, type Read } from '../display/Loaded.tsx'
import { Dialog } from './Dialog.tsx'

interface ReadDialogProps<Data> {
  title: string
  read: Read<Data>
  /** What could not be loaded: 'the sending rules'. */
  what: string
  onClose: () => void
  /** The dialog, once what it edits was read. */
  children: (data: Data) => ReactNode
}

/** A dialog that reads what it edits before it opens. */
export function ReadDialog<Data>({ title, read, what, onClose, children }: ReadDialogProps<Data>) {
  if (read.data !== undefined) return children(read.data)
  return (
    <Dialog opened size="M" title={title} onClose={onClose}>
      <Loaded read={read} what={what}>
        {children}
      </Loaded>
    </Dialog>
  )
}
