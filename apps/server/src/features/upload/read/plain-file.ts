import { isUtf8 } from 'node:buffer'
import { Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { OpenFile } from '../../../gateways/file/file-store.ts'
import { UploadFault } from './fault.ts'

const CHUNK = 128 * 1024
/** The most text one file may decompress to. */
const MAX_PLAIN_BYTES = 8 * 1024 ** 3
/** Real tables compress 5 to 30 times; a zip bomb 1,000 times. Checked from 2 MiB of text on. */
const MAX_RATIO = 200
const RATIO_FROM = 2 * 1024 ** 2
const GZIP = Buffer.from([0x1f, 0x8b])
/**
 * The first bytes of zip files, including Excel's, and of Excel's older ones. As text the first would be a column named 'PK…', the second
 * is not UTF-8.
 */
const WORKBOOKS: ReadonlySet<number> = new Set([0x504b, 0xd0cf])

/**
 * A file that must still be as long as when it was received: one truncated since would be loaded as though it were complete.
 * @throws UploadFault at its end, while it is read
 */
export const ofLength =
  (open: OpenFile, name: string, bytes: number): OpenFile =>
  async () => {
    const file = await open()
    let read = 0
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        read += chunk.length
        done(null, chunk)
      },
      flush(done) {
        const words = `${name} is not as it was received: ${read} of ${bytes} bytes are left. Nothing was changed. Please send it again.`
        done(read === bytes ? null : new UploadFault(words))
      },
    })
    counted.on('close', () => file.destroy())
    file.on('error', (error) => counted.destroy(error))
    return file.pipe(counted)
  }

/** Whether a file begins like gzip. */
async function isGzip(open: OpenFile): Promise<boolean> {
  let start: Buffer = Buffer.alloc(0)
  for await (const chunk of await open()) {
    start = Buffer.concat([start, chunk as Buffer])
    if (start.length >= GZIP.length) break
  }
  return start.subarray(0, GZIP.length).equals(GZIP)
}

/**
 * The text of an uploaded file as bytes, decompressed if gzip. Memory stays at a few chunks.
 * @param name the file's name for error sentences
 * @throws UploadFault for a damaged or truncated gzip, and for one that exceeds the limits
 */
export async function* plainBytes(open: OpenFile, name: string, limit = MAX_PLAIN_BYTES): AsyncGenerator<Buffer> {
  const packed = await isGzip(open)
  const file = await open()
  const gunzip = packed ? createGunzip({ chunkSize: CHUNK }) : null
  const source = gunzip ? file.pipe(gunzip) : file
  if (packed) file.on('error', (error) => source.destroy(error))
  let bytes = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > limit) throw new UploadFault(`${name} holds more than ${Math.round(limit / 1024 ** 2)} MB of text.`)
      if (gunzip && bytes > RATIO_FROM && bytes > gunzip.bytesWritten * MAX_RATIO)
        throw new UploadFault(`${name} unpacks to more than ${MAX_RATIO} times its size and was not read further.`)
      yield chunk
    }
  } catch (error) {
    if (packed && isZlibError(error))
      throw new UploadFault(`${name} is a damaged or cut gzip file: it could not be unpacked to its end.`)
    throw error
  } finally {
    file.destroy()
    source.destroy()
  }
}

function isZlibError(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith('Z_')
}

/** U+FFFD, which a program writes for a letter it could not convert. */
const LOST = Buffer.from('\ufffd')

/**
 * The same bytes, checked to be UTF-8 without NUL characters.
 * @param onLost called with the first line that holds a �
 * @throws UploadFault naming the actual format
 */
export async function* utf8Bytes(
  source: AsyncIterable<Buffer>,
  name: string,
  onLost?: (line: number) => void,
): AsyncGenerator<Buffer> {
  let told = false
  let held: Buffer = Buffer.alloc(0)
  let first = true
  let position = 0
  let line = 1
  for await (const chunk of source) {
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
    if (first && bytes.length >= 2) {
      const mark = bytes.readUInt16BE(0)
      if (WORKBOOKS.has(mark))
        throw new UploadFault(
          `${name} is an Excel or zip file, whatever it is called. Save it as ${formatOf(name)} in UTF-8 and send it again.`,
        )
      if (mark === 0xfffe || mark === 0xfeff)
        throw new UploadFault(`${name} is UTF-16 text. Save it as ${formatOf(name)} in UTF-8 and send it again.`)
      first = false
    }
    const nul = bytes.indexOf(0)
    if (nul >= 0)
      throw new UploadFault(
        `${name} holds a NUL character at byte ${position + nul + 1}: it is not ${formatOf(name)} text in UTF-8.`,
      )
    const whole = bytes.subarray(0, bytes.length - unfinished(bytes))
    if (!isUtf8(whole)) throw new UploadFault(notUtf8(name, line + linesBeforeFault(whole)))
    const lost: number = told ? -1 : whole.indexOf(LOST)
    if (lost >= 0) onLost?.(line + lineEnds(whole.subarray(0, lost)))
    told ||= lost >= 0
    held = Buffer.from(bytes.subarray(whole.length))
    position += whole.length
    line += lineEnds(whole)
    if (whole.length > 0) yield whole
  }
  if (held.length > 0) throw new UploadFault(notUtf8(name, line))
}

const formatOf = (name: string) => (name.endsWith('.ndjson') ? 'NDJSON' : 'CSV')

const LINE_END = 0x0a

function lineEnds(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) count++
  return count
}

/** How many of the lines here end before the first byte that is not UTF-8: a line end is never part of a longer character. */
function linesBeforeFault(bytes: Buffer): number {
  let start = 0
  let count = 0
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, start)) {
    if (!isUtf8(bytes.subarray(start, at))) break
    start = at + 1
    count++
  }
  return count
}

function notUtf8(name: string, line: number): string {
  return `${name} is not UTF-8 text (line ${line}). Save it as ${formatOf(name)} in UTF-8 and send it again.`
}

/** Bytes at the end that start a character completed in the next chunk. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? back : 0
    }
    if (byte < 0x80) return 0
  }
  return 0
}
