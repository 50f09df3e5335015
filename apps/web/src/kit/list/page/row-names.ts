import { NO_VALUE } from '@pillar/domain/time/locale'
import type { Column } from '../data-table.ts'

/**
 * The names of rows for screen readers: the text of their first cell, with further cells if several rows would have the same name, so that
 * "Details of …" is not read five times alike; without text, their id.
 */
export function rowNames<Row>(
  rows: readonly Row[],
  columns: readonly Pick<Column<Row>, 'cell'>[],
  idOf: (row: Row) => string,
): (row: Row) => string {
  const [first, ...others] = columns
  const wordsOf = (row: Row, of: readonly Pick<Column<Row>, 'cell'>[]) =>
    of.map(({ cell }) => cell(row)).filter((one) => typeof one === 'string' && one !== '' && one !== NO_VALUE)
  const names = new Map(rows.map((row) => [row, first ? wordsOf(row, [first]).join() || idOf(row) : idOf(row)]))
  const times = new Map<string, number>()
  for (const name of names.values()) times.set(name, (times.get(name) ?? 0) + 1)
  return (row) => {
    const name = names.get(row) ?? idOf(row)
    return (times.get(name) ?? 0) > 1 ? [name, ...wordsOf(row, others)].join(', ') : name
  }
}
