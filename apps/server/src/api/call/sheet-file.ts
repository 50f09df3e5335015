import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Sheet, SheetCell, SheetKind } from '@pillar/contract/wire/sheet'
import { type Country, LOCALES } from '@pillar/domain/time/locale'
import { type CellValue, writeXlsxStream } from 'hucre/xlsx'

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The most characters a cell may hold. */
const CELL_LENGTH = 32_767
/** Characters a sheet's name must not contain, and its longest length. */
const NO_NAME = /[\\/?*[\]:]/g
const NAME_LENGTH = 31
// Characters that XML cannot hold, so that a file with one would not open.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Number format of each kind of column; the cells hold full precision. */
const FORMATS: Readonly<Record<SheetKind, (country: Country) => string | null>> = {
  text: () => null,
  date: (country) => (country === 'US' ? 'mmm d, yyyy' : 'd mmm yyyy'),
  count: () => '#,##0',
  money: (country) => `"${LOCALES[country].currencySymbol}"#,##0`,
  percent: () => '0.00%',
  bound: () => '0.0%',
}

/**
 * A sheet as an Excel file, written while it is read, so memory does not grow with its rows. A text cell is stored as text, never as a
 * formula, whatever its first character.
 */
export function writeSheet({ name, columns, rows, country }: Sheet): Readable {
  const cells = function* (): Iterable<CellValue[]> {
    for (const row of rows) yield row.map((cell, at) => asCell(cell, columns[at]!.kind))
  }
  const stream = writeXlsxStream(cells(), {
    name: sheetName(name),
    columns: columns.map(({ head, kind, width }) => {
      const numFmt = FORMATS[kind](country)
      return { header: clean(head), width, ...(numFmt === null ? {} : { numFmt }) }
    }),
    freezePane: { rows: 1, columns: 1 },
  })
  return Readable.fromWeb(stream as ReadableStream)
}

function asCell(cell: SheetCell, kind: SheetKind): CellValue {
  if (cell === null || typeof cell === 'number') return cell
  return kind === 'date' ? new Date(`${cell}T00:00:00Z`) : clean(cell)
}

const clean = (text: string) => cut(text.toWellFormed().replaceAll(NO_XML, ' '), CELL_LENGTH)

/** The first characters of a text, without splitting a surrogate pair at the end. */
const cut = (text: string, length: number) => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/** A sheet name that Excel accepts: it opens no file with an empty name, or a name with an apostrophe at either end. */
const sheetName = (name: string) =>
  cut(clean(name).replaceAll(NO_NAME, ' ').replace(/^'+/, ''), NAME_LENGTH).replace(/'+$/, '') || 'Sheet1'
