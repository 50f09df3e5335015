import { once } from 'node:events'
import { type CsvError, type Info, parse } from 'csv-parse'
import { shown, UploadFault } from './fault.ts'

/** A header with more columns than this is not one of our tables. */
export const MAX_COLUMNS = 200
/** Longest row. Anything longer means a quote was never closed. */
const MAX_ROW_BYTES = 128 * 1024

export interface CsvReader {
  /** Every name a header may have, by which a second header is known. */
  columns: ReadonlySet<string>
  /** The header's names, trimmed and in lower case. */
  header: (names: string[]) => void
  /** A row with exactly as many values as the header. `line` is the line it ends on. */
  row: (values: string[], line: number) => void
  /** An unreadable row; `lines` is how many lines of the file it used. */
  fault: (line: number, value: string, reason: string, lines: number) => void
  /** Called between chunks, so that the consumer can slow the reading down. */
  pause: () => Promise<void>
}

/**
 * Reads CSV bytes row by row, in constant memory. Every line of the file is accounted for: in a row, in a fault, or blank.
 * @throws UploadFault if the header or a row exceeds the limits
 */
export async function readCsv(bytes: AsyncIterable<Buffer>, name: string, reader: CsvReader): Promise<void> {
  let width = 0
  let header = ''
  let lastLine = 0
  let blanks = 0
  let unclosed = false
  let broken: { line: number; reason: string } | null = null

  const linesSince = (info: { lines: number; empty_lines: number }): number => {
    const lines = info.lines - lastLine - (info.empty_lines - blanks)
    lastLine = info.lines
    blanks = info.empty_lines
    return lines
  }
  /** Lines swallowed by a broken quote each count as a faulty row. */
  const settle = (lines: number): void => {
    if (broken) reader.fault(broken.line, '', broken.reason, Math.max(1, lines))
    broken = null
  }
  const onRow = (values: string[], info: Info): null => {
    const lines = linesSince(info)
    const at = info.lines
    if (width === 0) {
      if (values.length > MAX_COLUMNS)
        throw new UploadFault(`${name} has ${values.length} columns; at most ${MAX_COLUMNS} are read.`)
      width = values.length
      const names = values.map(nameOf)
      header = names.join()
      reader.header(names)
      return null
    }
    // After a broken quote the lines before this row belong to the fault; otherwise all belong to this row.
    const own = broken ? values.join('').split('\n').length : Math.max(1, lines)
    settle(lines - own)
    if (isHeader(values, reader.columns)) {
      if (values.map(nameOf).join() !== header) throw new UploadFault(`${name} ${OTHER_HEADER(at)}`)
      reader.fault(at, '', 'repeats the header, as where two exports were joined', own)
    } else if (values.length === width) reader.row(withoutNull(values), at)
    else reader.fault(at, shown(values.join(',')), `has ${values.length} values for ${width} columns`, own)
    return null
  }
  const onSkip = (error: CsvError | undefined): undefined => {
    if (error?.code === 'CSV_MAX_RECORD_SIZE')
      throw new UploadFault(
        `${name} has a row of more than ${MAX_ROW_BYTES / 1024} KB from line ${lastLine + 1} on: is a quote left open there?`,
      )
    if (width === 0) throw new UploadFault(`${name} begins with a header that cannot be read: ${quoteReason(error)}.`)
    unclosed = error?.code === 'CSV_QUOTE_NOT_CLOSED'
    broken ??= { line: unclosed ? lastLine + 1 : Number(error?.lines), reason: quoteReason(error) }
    return undefined
  }
  const parser = parse({
    bom: true,
    columns: false,
    info: false,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_ROW_BYTES,
    // Otherwise the first line's ending would count for all lines.
    record_delimiter: ['\n', '\r'],
    on_record: onRow,
    on_skip: onSkip,
  })
  let failure: Error | null = null
  parser.on('error', (error) => {
    failure = error
  })
  parser.resume()
  let lastByte = 0
  for await (const chunk of unixEnds(bytes)) {
    lastByte = chunk.at(-1) ?? lastByte
    const room = parser.write(chunk)
    if (failure) throw failure
    if (!room) await Promise.race([once(parser, 'drain'), once(parser, 'error')])
    if (failure) throw failure
    await reader.pause()
  }
  const ended = once(parser, 'end')
  parser.end()
  await ended
  if (failure) throw failure
  if (width === 0) throw new UploadFault(`${name} is empty: it has not even a header.`)
  // The final line break starts no line; the parser counts it as one while a quote is open.
  settle(linesSince(parser.info) - (unclosed && (lastByte === 10 || lastByte === 13) ? 1 : 0))
  await reader.pause()
}

const nameOf = (value: string) => value.trim().toLowerCase()

/** Whether a row names columns. Almost every row's first value is a number, so most rows are not looked at further. */
function isHeader(values: readonly string[], columns: ReadonlySet<string>): boolean {
  const first = values[0]?.charCodeAt(0) ?? 0
  return first > NINE && values.length > 1 && values.every((value) => columns.has(nameOf(value)))
}

const NINE = 0x39
const OTHER_HEADER = (line: number) =>
  `has a second header, with other columns or another order, in line ${line}: two exports were joined. Send the second as an upload of its own.`

/** The same values, with empty text where a database wrote `NULL`. Checking whether it was quoted would double the parser's time. */
function withoutNull(values: string[]): string[] {
  for (let at = 0; at < values.length; at++) if (values[at] === 'NULL') values[at] = ''
  return values
}

const [CR, CRLF] = [Buffer.from('\r'), '\r\n']

/** The same bytes with Windows line ends turned into Unix ones: the parser counts one within quotes twice. */
async function* unixEnds(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // A line end may be split between chunks.
  let held = false
  for await (const chunk of bytes) {
    const whole: Buffer = held ? Buffer.concat([CR, chunk]) : chunk
    held = whole.at(-1) === CR[0]
    yield unixEnded(held ? whole.subarray(0, -1) : whole)
  }
  if (held) yield CR
}

function unixEnded(part: Buffer): Buffer {
  let at = part.indexOf(CRLF)
  if (at < 0) return part
  const out = Buffer.allocUnsafe(part.length)
  let [from, to] = [0, 0]
  for (; at >= 0; at = part.indexOf(CRLF, from)) {
    to += part.copy(out, to, from, at)
    from = at + 1
  }
  to += part.copy(out, to, from)
  return out.subarray(0, to)
}

function quoteReason(error: CsvError | undefined): string {
  switch (error?.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'opens a quote that is not closed'
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'has text after a closing quote; a quote inside a quoted value is written twice'
    default:
      return 'has a quote inside an unquoted value'
  }
}
