import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FHIR_FILES } from '@pillar/domain/upload/upload-file'

/** One file of an upload: its name there, and the local files it consists of, in order. */
export interface FileToSend {
  name: string
  pieces: readonly Piece[]
  bytes: number
}

interface Piece {
  path: string
  bytes: number
  /** When it was last written: one that changes while it is sent would arrive as a mixture of two exports. */
  written: number
  /** A line break, if the file lacks its last one and another follows. */
  end: string
}

interface Folder {
  source: string
  folder: string
  onSkipped?: ((entries: readonly string[]) => void) | undefined
}

/** The files of a folder that belong to an upload. Throws if there are none. */
export async function filesToSend({ source, folder, onSkipped }: Folder): Promise<FileToSend[]> {
  const found = await readdir(folder, { withFileTypes: true })
  const entries = found.filter((one) => !one.isDirectory() && !one.name.startsWith('.')).map(({ name }) => name)
  const isSent = source === 'fhir' ? (entry: string) => typeOf(entry) !== undefined : isTable
  const skipped = entries.filter((entry) => !isSent(entry)).sort(inOrder)
  if (skipped.length > 0) onSkipped?.(skipped)
  const sent = entries.filter(isSent).sort(inOrder)
  return source === 'fhir' ? resourceFilesOf(folder, sent) : filesOf(folder, sent)
}

/** A file on this machine that cannot be read, or changes meanwhile: neither the server nor a retry can help. */
export class Unreadable extends Error {}

/** The content of a file from this byte on. @throws Unreadable */
export async function* contentFrom(file: FileToSend, from: number): AsyncGenerator<Buffer> {
  let skip = from
  for (const piece of file.pieces) {
    const { bytes, end } = piece
    const whole = bytes + end.length
    if (skip < bytes) yield* bytesOf(piece, skip)
    if (skip < whole && end !== '') yield Buffer.from(end)
    skip = Math.max(0, skip - whole)
  }
}

/** Whether every file is still as it was when its size was read. @throws Unreadable */
export async function checkUnchanged(files: readonly FileToSend[]): Promise<void> {
  for (const { path, bytes, written } of files.flatMap(({ pieces }) => pieces)) {
    const { size, mtimeMs } = await stat(path).catch((error: Error) => {
      throw new Unreadable(`${path} cannot be read: ${error.message}.`)
    })
    if (size !== bytes || mtimeMs !== written)
      throw new Unreadable(`${path} changed while it was sent. Once its export has ended, send the folder again.`)
  }
}

async function* bytesOf({ path, bytes }: Piece, start: number): AsyncGenerator<Buffer> {
  try {
    const stream = createReadStream(path, { start, end: bytes - 1, highWaterMark: 128 * 1024 })
    yield* stream as AsyncIterable<Buffer>
  } catch (error) {
    throw new Unreadable(`${path} cannot be read: ${(error as Error).message}.`)
  }
}

const TABLE = /\.csv(\.gz)?$/i
const isTable = (entry: string) => TABLE.test(entry)

async function filesOf(folder: string, entries: readonly string[]): Promise<FileToSend[]> {
  const files = entries.map(async (entry) => {
    const path = join(folder, entry)
    const { size: bytes, mtimeMs: written } = await stat(path)
    return { name: entry.replace(TABLE, '').toLowerCase(), pieces: [{ path, bytes, written, end: '' }], bytes }
  })
  if (files.length === 0) throw new Error(`The folder ${folder} holds no .csv files.`)
  return Promise.all(files)
}

const RESOURCES = /\.ndjson(?:\.gz)?$/i
const typeOf = (entry: string) =>
  RESOURCES.test(entry) ? FHIR_FILES.find((type) => entry.split(/[^A-Za-z]+/).includes(type)) : undefined
const isPacked = (entry: string) => /\.gz$/i.test(entry)
const inOrder = new Intl.Collator('en', { numeric: true }).compare

/**
 * The files of a bulk export that Pillar reads: the resource type comes from names such as Patient.ndjson, Patient.000.ndjson or
 * 3.Patient.ndjson.gz. Several of one type are sent one after the other, as one file.
 */
async function resourceFilesOf(folder: string, entries: readonly string[]): Promise<FileToSend[]> {
  const files = FHIR_FILES.map((name) => ({ name, entries: entries.filter((entry) => typeOf(entry) === name) }))
  const found = files.filter((file) => file.entries.length > 0)
  if (found.length === 0) throw new Error(`The folder ${folder} holds no .ndjson files of ${FHIR_FILES.join(', ')}.`)
  return Promise.all(found.map(({ name, entries }) => joined(name, folder, entries)))
}

async function joined(name: string, folder: string, entries: readonly string[]): Promise<FileToSend> {
  const packed = entries.filter(isPacked)
  if (packed.length > 0 && packed.length < entries.length)
    throw new Error(
      `Of the files of ${name} in ${folder} some are packed and some are not (${entries.slice(0, 4).join(', ')}). Pack all of them, or none.`,
    )
  const pieces = await Promise.all(entries.map((entry, at) => pieceOf(join(folder, entry), at === entries.length - 1)))
  return { name, pieces, bytes: pieces.reduce((sum, { bytes, end }) => sum + bytes + end.length, 0) }
}

async function pieceOf(path: string, last: boolean): Promise<Piece> {
  const file = await open(path)
  try {
    const { size: bytes, mtimeMs: written } = await file.stat()
    if (last || bytes === 0 || isPacked(path)) return { path, bytes, written, end: '' }
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, bytes - 1)
    return { path, bytes, written, end: buffer[0] === 10 ? '' : '\n' }
  } finally {
    await file.close()
  }
}
