/**
 * Longest line that is read. A resource is a few kilobytes; a longer line contains a photo or document, or the file does not have one
 * resource per line.
 */
export const MAX_LINE_BYTES = 1024 ** 2
const NEWLINE = 10
const MARK = Buffer.from('\ufeff')

export interface NdjsonReader {
  /** A line with text, without its line break; null for one of more than 1 MB. Lines are counted from 1, including blank ones. */
  line: (text: string | null, line: number) => void
  /** Called between chunks, so that the consumer can slow the reading down. */
  pause: () => Promise<void>
}

/**
 * Reads NDJSON bytes (UTF-8, with or without a byte order mark, Windows or Unix line ends) line by line. Holds at most one line and one
 * chunk in memory, and nothing of a line of more than 1 MB. Blank lines are skipped.
 */
export async function readNdjson(bytes: AsyncIterable<Buffer>, reader: NdjsonReader): Promise<void> {
  let held: Buffer[] = []
  let length = 0
  let line = 0
  const take = (piece: Buffer): void => {
    length += piece.length
    if (length > MAX_LINE_BYTES) held = []
    else held.push(piece)
  }
  const finish = (): void => {
    line++
    const long = length > MAX_LINE_BYTES
    const whole = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held)
    // A mark inside the file shows where one file was appended to another.
    const marked = whole.subarray(0, MARK.length).equals(MARK)
    const text = (marked ? whole.subarray(MARK.length) : whole).toString().trim()
    held = []
    length = 0
    if (long) reader.line(null, line)
    else if (text !== '') reader.line(text, line)
  }
  for await (const chunk of bytes) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, end))
      finish()
      from = end + 1
    }
    if (from < chunk.length) take(chunk.subarray(from))
    await reader.pause()
  }
  if (length > 0) finish()
  await reader.pause()
}
