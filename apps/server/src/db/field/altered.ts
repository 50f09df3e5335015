import { COLUMNS } from './columns.ts'

/** A sealed value that is not as it was sealed: its pharmacy where it has one, and what names its row, unless that is a patient's number. */
export interface AlteredValue {
  column: string
  location?: number
  row?: string
}

/** Distinct ones of a column that are remembered: a whole table of them need not be counted. */
const MOST = 10_000

/** The altered values a process has come upon and not seen whole since. */
export class AlteredValues {
  readonly #rows = new Map<string, Set<string>>()
  readonly #tell: (value: AlteredValue) => void

  constructor(tell: (value: AlteredValue) => void) {
    this.#tell = tell
  }

  /** Remembers one. @param row its name, as `rowName` makes it */
  note(column: string, row: string): void {
    const rows = this.#rows.get(column) ?? new Set()
    if (rows.has(row) || rows.size >= MOST) return
    this.#rows.set(column, rows.add(row))
    const found = COLUMNS.find(({ name }) => name === column)
    const [place, ...own] = row.split('/')
    // A patient's number at the pharmacy is in no log.
    const isNumber = found?.row.includes('source_id')
    this.#tell({
      column,
      ...(found?.place ? { location: Number(place), ...(isNumber ? {} : { row: own.join('/') }) } : { row }),
    })
  }

  /** One that opens again. */
  forget(column: string, row: string): void {
    this.#rows.get(column)?.delete(row)
  }

  /** How many of each column. */
  counts(): { column: string; values: number }[] {
    return COLUMNS.map(({ name }) => ({ column: name, values: this.#rows.get(name)?.size ?? 0 }))
  }
}
