import { safeCell } from '@pillar/domain/text/csv-safe'

/** The figures of a chart: heads, then rows. */
export interface Figures {
  heads: readonly string[]
  rows: readonly (readonly (string | number | null)[])[]
}

const quoted = (cell: string | number) =>
  /[",\r\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell

/** The figures as CSV; no cell acts as a formula. */
export const csvOf = ({ heads, rows }: Figures): string =>
  [heads, ...rows].map((row) => row.map((cell) => quoted(safeCell(cell))).join(',')).join('\r\n')
