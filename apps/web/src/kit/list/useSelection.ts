import { useRef, useState } from 'react'
import { isTicked, nothing, rowsNow, spanTo, type Ticked, tickRange, tickShown } from './selection.ts'
import type { List } from './useList.ts'

/** A selection, for the acts on it: rows, or everything that matches the filter. */
export interface Selected<Row, Input> {
  count: number
  /** The ticked rows; empty if everything that matches is selected. */
  rows: readonly Row[]
  /** The filter, if everything that matches is selected: it is sent instead of ids. */
  filter: Partial<Input> | null
  clear: () => void
}

export interface Selection<Row, Input> extends Selected<Row, Input> {
  has: (id: string) => boolean
  /** Ticks or unticks the visible row at this index; with Shift, all between it and the last one. */
  tick: (index: number, range: boolean) => void
  tickShown: () => void
  /** Whether everything that matches could be selected but is not yet. */
  more: boolean
  selectAll: () => void
}

/** A list's selection. It ends when the filter changes. */
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
