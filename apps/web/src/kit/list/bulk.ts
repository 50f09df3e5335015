import { Pencil, Trash2 } from 'lucide-react'
import type { Act } from './acts.tsx'
import { restoring, toastDeleted } from './removed.ts'
import type { Selected } from './useSelection.ts'

/** Rows that acts are offered for: one of them, several, or all that a filter matches. */
export type Selection<Row> = Pick<Selected<Row, object>, 'rows' | 'filter' | 'count' | 'clear'>

/** Rows that a dialog edits together, what its call is sent to name them, and what unticks them afterwards. */
export interface Edited<Row, Chosen> {
  rows: readonly Row[]
  chosen: Chosen
  clear: () => void
}

interface Bulk<Row, Chosen, Answer> {
  selected: Selection<Row>
  chosen: Chosen
  idOf: (row: Row) => string
  /** Reads all rows that a filter matches. */
  search: (filter: object) => Promise<readonly Row[]>
  edit: (edited: Edited<Row, Chosen>) => void
  /** Deletes them; null when the person changes their mind. */
  remove: (chosen: Chosen) => Promise<Answer | null>
  restore: (of: { id: string }) => Promise<unknown>
  /** '3 campaigns deleted' */
  deleted: (count: number) => string
  /** Why they cannot be edited or deleted. */
  noEdit?: string | undefined
  noDelete?: string | undefined
  /** Acts between Edit and Delete. */
  between?: readonly Act[]
}

/** Edit and Delete for one row or many, and for deleted ones only Restore. */
export function bulkActs<Row extends { removed_at: string | null }, Chosen, Answer extends { deleted: number }>(
  bulk: Bulk<Row, Chosen, Answer>,
): Act[] {
  const { selected, chosen, between = [] } = bulk
  const { rows, filter, clear } = selected
  const [only] = rows.length === 1 ? rows : []
  const restore = only && (() => bulk.restore({ id: bulk.idOf(only) }))
  if (rows.some(({ removed_at }) => removed_at !== null)) return restoring(restore)
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
        toastDeleted(bulk.deleted(answer.deleted), restore)
      },
    },
  ]
}
