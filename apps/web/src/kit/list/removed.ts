import { ArchiveRestore } from 'lucide-react'
import { wordsOf } from '../../shared/refused.ts'
import { toast, toastFailure } from '../display/toast.tsx'
import type { Act } from './acts.tsx'

/** The filter of a list that shows what was deleted. */
export const REMOVED = [{ value: 'yes', label: 'Last 30 days' }] as const

/** What can be done to something deleted: put it back, one at a time (without `restore` several are selected). */
export const restoring = (restore: (() => unknown) | undefined): Act[] => [
  {
    label: 'Restore',
    icon: ArchiveRestore,
    disabled: restore ? undefined : 'Restore them one by one',
    run: () => restore?.(),
  },
]

/** Shows that something was deleted, with Undo for a single thing. */
export function toastDeleted(words: string, restore: (() => Promise<unknown>) | undefined): void {
  const undo = () => void restore?.().catch((thrown: unknown) => toastFailure(wordsOf(thrown)))
  toast(words, restore ? { action: { label: 'Undo', run: undo } } : {})
}
