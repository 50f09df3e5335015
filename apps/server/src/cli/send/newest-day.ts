import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { type Day, parseDay } from '@pillar/domain/time/day'
import { parse } from 'csv-parse'

/** Columns with the date of a supply, in any source. */
const DATE_COLUMNS = ['drug_exposure_start_date', 'dispensed_on']

/** The latest date of supply in a folder of files. @throws Error if none has such a column, or one cannot be read to its end */
export async function newestDay(folder: string): Promise<Day> {
  let newest: Day | null = null
  for (const entry of await readdir(folder)) {
    if (!/\.csv(\.gz)?$/i.test(entry)) continue
    const file = createReadStream(join(folder, entry))
    const text = /\.gz$/i.test(entry) ? file.pipe(createGunzip()) : file
    let column = -1
    let header = true
    const rows = text.pipe(parse({ bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true }))
    // A pipe does not pass errors on.
    for (const stream of new Set([file, text]))
      stream.on('error', ({ message }) => rows.destroy(new Error(`${join(folder, entry)} cannot be read: ${message}`)))
    for await (const values of rows as AsyncIterable<string[]>) {
      if (header) {
        header = false
        column = values.findIndex((name) => DATE_COLUMNS.includes(name.trim().toLowerCase()))
        if (column < 0) break
        continue
      }
      const day = parseDay((values[column] ?? '').trim())
      if (day !== null && (newest === null || day > newest)) newest = day
    }
    rows.destroy()
    file.destroy()
  }
  if (newest === null) throw new Error(`No file in ${folder} has dates of supply (${DATE_COLUMNS.join(' or ')}).`)
  return newest
}
