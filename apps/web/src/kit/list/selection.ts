/** Ticked rows, over all pages, or everything that matches a filter. */
export interface Ticked<Row> {
  rows: ReadonlyMap<string, Row>
  /** Everything that matches, whether visible or not. */
  all: boolean
}

export const nothing = <Row>(): Ticked<Row> => ({ rows: new Map(), all: false })

/** Whether a row is ticked. */
export const isTicked = <Row>(ticked: Ticked<Row>, id: string): boolean => ticked.all || ticked.rows.has(id)

/**
 * Ticks the rows from `from` to `to` (indexes of visible rows, in either order), or unticks them if the last one pressed is ticked. Unticking one
 * while everything that matches is ticked leaves the other visible ones ticked.
 */
export function tickRange<Row>(
  ticked: Ticked<Row>,
  shown: readonly Row[],
  idOf: (row: Row) => string,
  from: number,
  to: number,
): Ticked<Row> {
  const rows = new Map(ticked.all ? shown.map((row) => [idOf(row), row]) : ticked.rows)
  const pressed = shown[to]
  const on = pressed !== undefined && !rows.has(idOf(pressed))
  for (const row of shown.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (on) rows.set(idOf(row), row)
    else rows.delete(idOf(row))
  }
  return { rows, all: false }
}

/** The start of a range to the row at `to`: the row pressed last, if visible; otherwise the range is the single row. */
export function spanTo<Row>(
  shown: readonly Row[],
  idOf: (row: Row) => string,
  last: string | null,
  to: number,
): number {
  const from = shown.findIndex((row) => idOf(row) === last)
  return from < 0 ? to : from
}

/** The ticked rows in their present state: a row that has changed since counts as it is now. */
export function rowsNow<Row>(ticked: Ticked<Row>, shown: readonly Row[], idOf: (row: Row) => string): Row[] {
  const now = new Map(shown.map((row) => [idOf(row), row]))
  return [...ticked.rows].map(([id, row]) => now.get(id) ?? row)
}

/** The tick in the head: ticks all visible rows, or unticks them if all are ticked. */
export function tickShown<Row>(ticked: Ticked<Row>, shown: readonly Row[], idOf: (row: Row) => string): Ticked<Row> {
  if (ticked.all) return nothing()
  const rows = new Map(ticked.rows)
  const all = shown.every((row) => rows.has(idOf(row)))
  for (const row of shown) {
    if (all) rows.delete(idOf(row))
    else rows.set(idOf(row), row)
  }
  return { rows, all: false }
}

/** The targets for a bulk call: ids, or the filter with the count that was shown, so that nothing unseen is touched. */
export function chosenOf<Row, F, K extends string>(
  field: K,
  selected: { rows: readonly Row[]; filter: F | null; count: number },
  idOf: (row: Row) => string,
): Partial<Record<K, string[]>> & { filter?: F; expected_count?: number } {
  if (selected.filter !== null) return { filter: selected.filter, expected_count: selected.count } as never
  return { [field]: selected.rows.map(idOf) } as never
}

/** One row as a selection, for acts that are the same for one and for many. */
export const only = <Row>(row: Row) => ({ count: 1, rows: [row], filter: null, clear: () => {} })
