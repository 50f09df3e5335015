import { COLUMNS } from './columns.ts'

/** A sealed value that is not as it was sealed: its pharmacy where it has one, or else what names its row. */
export interface AlteredValue {
  column: string
  location?: number
  row?: string
}

/** Distinct ones of a column that are remembered: a whole table of them need not be counted. */
const MOST = 10_000

/** The altered values a process has come upon. Each is told once. */
export class AlteredValues {
  readonly #rows = new Map<string, Set<string>>()
  readonly #tell: (value: AlteredValue) => void

  constructor(tell: (value: AlteredValue) => void) {
    this.#tell = tell
  }

  /** Remembers one, which reads as if it were missing. @param row its name, as `rowName` makes it */
  note(column: string, row: string): null {
    const rows = this.#rows.get(column) ?? new Set()
    if (rows.has(row) || rows.size >= MOST) return null
    this.#rows.set(column, rows.add(row))
    // Behind the pharmacy stands a patient's number, which no log holds.
    const place = COLUMNS.some(({ name, place }) => name === column && place !== null)
    this.#tell({ column, ...(place ? { location: Number(row.split('/')[0]) } : { row }) })
    return null
  }

  /** How many of each column. */
  counts(): { column: string; values: number }[] {
    return COLUMNS.map(({ name }) => ({ column: name, values: this.#rows.get(name)?.size ?? 0 }))
  }
}
