import { useRef, useState } from 'react'
import { isTicked, nothing, rowsNow, spanTo, type Ticked, tickRange, tickShown } from './selection.ts'
import type { List } from './useList.ts'

/** What is selected, for the acts on it: rows, or everything that the filter matches. */
export interface Selected<Row, Input> {
  count: number
  /** The rows that were ticked; empty when everything that matches is selected. */
  rows: readonly Row[]
  /** The filter, when everything that matches is selected: it is sent instead of ids. */
  filter: Partial<Input> | null
  clear: () => void
}

export interface Selection<Row, Input> extends Selected<Row, Input> {
  has: (id: string) => boolean
  /** Ticks or unticks the row at this index of those shown; with Shift all between it and the last one. */
  tick: (index: number, range: boolean) => void
  tickShown: () => void
  /** Whether everything that matches could be selected and is not yet. */
  more: boolean
  selectAll: () => void
}

/** The selection of a list. Another filter is another question: the selection ends with the one it was made in. */
export function useSelection<Row, Input>(list: List<Row, Input>): Selection<Row, Input> {
  const asked = JSON.stringify(list.filter)
  const [kept, setKept] = useState<{ asked: string; ticked: Ticked<Row> }>({ asked, ticked: nothing() })
  const last = useRef<string | null>(null)
  const ticked = kept.asked === asked ? kept.ticked : nothing<Row>()
  const set = (next: Ticked<Row>) => setKept({ asked, ticked: next })
  return {
    count: ticked.all ? list.total : ticked.rows.size,
    rows: rowsNow(ticked, list.rows, list.idOf),
    filter: ticked.all ? list.filter : null,
    clear: () => set(nothing()),
    has: (id) => isTicked(ticked, id),
    tick: (index, range) => {
      const from = range ? spanTo(list.rows, list.idOf, last.current, index) : index
      set(tickRange(ticked, list.rows, list.idOf, from, index))
      const pressed = list.rows[index]
      last.current = pressed === undefined ? null : list.idOf(pressed)
    },
    tickShown: () => set(tickShown(ticked, list.rows, list.idOf)),
    more: !ticked.all && ticked.rows.size > 0 && list.total > ticked.rows.size,
    selectAll: () => set({ rows: new Map(), all: true }),
  }
}
