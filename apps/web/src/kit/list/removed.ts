import { counted, listOf } from '@pillar/domain/text/sentence'
import { ArchiveRestore } from 'lucide-react'
import { wordsOf } from '../../shared/refused.ts'
import { toast, toastFailure } from '../display/toast.tsx'
import type { Act } from './acts.tsx'

/** The filter that shows deleted rows. */
export const REMOVED = [{ value: 'yes', label: 'Last 30 days' }] as const

/** How many are named; the rest are only counted. */
const MOST_NAMED = 3

/** The noun for the rows, and the state in which they return: ['template', 'templates', ', inactive']. */
export type Noun = readonly [one: string, many: string, how?: string]

export interface Restored {
  restored: number
  not_restored: readonly { name: string; reason: string }[]
}

interface Selected {
  rows: readonly { removed_at: string | null }[]
  filter: object | null
}

/** Whether deleted rows are selected: those of a list that shows only deleted ones. */
export const isRemoved = ({ rows, filter }: Selected): boolean =>
  rows.some((row) => row.removed_at !== null) || (filter !== null && 'removed' in filter && filter.removed === true)

/** The act on deleted rows, one or many: restore them. */
export const restoring = (restore: () => Promise<Restored | null>, noun: Noun): Act[] => [
  {
    label: 'Restore',
    icon: ArchiveRestore,
    run: async () => tellRestored(await restore(), noun),
  },
]

/** Shows that something was deleted, with Undo for all of it. */
export function toastDeleted(words: string, restore: () => Promise<Restored | null>, noun: Noun): void {
  const undo = () =>
    void restore()
      .then((answer) => tellRestored(answer, noun))
      .catch((thrown: unknown) => toastFailure(wordsOf(thrown)))
  toast(words, { action: { label: 'Undo', run: undo } })
}

/** Shows how many were restored, and which were not. */
function tellRestored(answer: Restored | null, [one, many, how = '']: Noun): void {
  if (!answer) return
  const { restored, not_restored } = answer
  if (restored > 0) toast(`${counted(restored, one, many)} restored${how}`)
  if (not_restored.length === 0) return
  const reasons = not_restored.slice(0, MOST_NAMED).map(({ name, reason }) => `${name}: ${reason}`)
  const more = not_restored.length - reasons.length
  toastFailure(
    `${counted(not_restored.length, one, many)} not restored. ${listOf(reasons)}${more > 0 ? ` And ${more} more.` : ''}`,
  )
}
