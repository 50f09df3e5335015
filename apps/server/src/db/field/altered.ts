import { COLUMNS } from './columns.ts'

/** A sealed value that was altered: its pharmacy if it has one, and what identifies its row, unless that is a patient's number. */
export interface AlteredValue {
  column: string
  location?: number
  row?: string
}

/** Distinct values of a column to remember: a whole table of them need not be counted. */
const MOST = 10_000

/** The altered values a process has found and has not seen intact since. */
export class AlteredValues {
  readonly #rows = new Map<string, Set<string>>()
  readonly #tell: (value: AlteredValue) => void

  constructor(tell: (value: AlteredValue) => void) {
    this.#tell = tell
  }

  /** Remembers one. @param row its name, from `rowName` */
  note(column: string, row: string): void {
    const rows = this.#rows.get(column) ?? new Set()
    if (rows.has(row) || rows.size >= MOST) return
    this.#rows.set(column, rows.add(row))
    const found = COLUMNS.find(({ name }) => name === column)
    const [place, ...own] = row.split('/')
    // No log may contain a patient's number at the pharmacy.
    const isNumber = found?.row.includes('source_id')
    this.#tell({
      column,
      ...(found?.place ? { location: Number(place), ...(isNumber ? {} : { row: own.join('/') }) } : { row }),
    })
  }

  /** Forgets one that opens again. */
  forget(column: string, row: string): void {
    this.#rows.get(column)?.delete(row)
  }

  /** The count for each column. */
  counts(): { column: string; values: number }[] {
    return COLUMNS.map(({ name }) => ({ column: name, values: this.#rows.get(name)?.size ?? 0 }))
  }
}
