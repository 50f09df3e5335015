import { Pencil, Trash2 } from 'lucide-react'
import type { Act } from './acts.tsx'
import { isRemoved, type Noun, type Restored, restoring, toastDeleted } from './removed.ts'
import type { Selected } from './useSelection.ts'

/** Rows for which acts are offered: one, several, or all that match a filter. */
export type Selection<Row> = Pick<Selected<Row, object>, 'rows' | 'filter' | 'count' | 'clear'>

/** Rows that a dialog edits together, the input that identifies them in its call, and how to untick them afterwards. */
export interface Edited<Row, Chosen> {
  rows: readonly Row[]
  chosen: Chosen
  clear: () => void
}

interface Bulk<Row, Chosen, Answer> {
  selected: Selection<Row>
  chosen: Chosen
  /** The noun for them, for Restore and Undo. */
  noun: Noun
  /** Reads all rows that match a filter. */
  search: (filter: object) => Promise<readonly Row[]>
  edit: (edited: Edited<Row, Chosen>) => void
  /** Deletes them; null if the person changes their mind. */
  remove: (chosen: Chosen) => Promise<Answer | null>
  /** Restores the selected ones, or all that one deletion removed. */
  restore: (of: Chosen | { removed_at: string }) => Promise<Restored | null>
  /** '3 campaigns deleted' */
  deleted: (count: number) => string
  /** Why they cannot be edited or deleted. */
  noEdit?: string | undefined
  noDelete?: string | undefined
  /** Acts between Edit and Delete. */
  between?: readonly Act[]
}

/** Edit and Delete for one row or many; for deleted ones only Restore. */
export function bulkActs<
  Row extends { removed_at: string | null },
  Chosen,
  Answer extends { deleted: number; removed_at: string },
>(bulk: Bulk<Row, Chosen, Answer>): Act[] {
  const { selected, chosen, noun, between = [] } = bulk
  const { rows, filter, clear } = selected
  if (isRemoved(selected)) return restoring(() => bulk.restore(chosen).finally(clear), noun)
  return [
    {
      label: 'Edit',
      icon: Pencil,
      disabled: bulk.noEdit,
      run: async () => bulk.edit({ rows: filter ? await bulk.search(filter) : rows, chosen, clear }),
    },
    ...between,
    {
      label: 'Delete',
      icon: Trash2,
      danger: true,
      disabled: bulk.noDelete,
      run: async () => {
        const answer = await bulk.remove(chosen)
        if (!answer) return
        clear()
        const { deleted, removed_at } = answer
        if (deleted > 0) toastDeleted(bulk.deleted(deleted), () => bulk.restore({ removed_at }), noun)
      },
    },
  ]
}
