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
  /** A line break, if the file lacks its last one and another follows. */
  end: string
}

interface Folder {
  source: string
  folder: string
  onSkipped?: ((entries: readonly string[]) => void) | undefined
}

/** The files of a folder that belong to an upload. Throws if there are none. */
export function filesToSend(of: Folder): Promise<FileToSend[]> {
  return of.source === 'fhir' ? resourceFilesOf(of) : filesOf(of.folder)
}

/** A file on this machine that cannot be read: neither the server nor a retry can help. */
export class Unreadable extends Error {}

/** The content of a file from this byte on. @throws Unreadable */
export async function* contentFrom(file: FileToSend, from: number): AsyncGenerator<Buffer> {
  let skip = from
  for (const { path, bytes, end } of file.pieces) {
    const whole = bytes + end.length
    if (skip < bytes) yield* bytesOf(path, skip)
    if (skip < whole && end !== '') yield Buffer.from(end)
    skip = Math.max(0, skip - whole)
  }
}

async function* bytesOf(path: string, start: number): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { start, highWaterMark: 128 * 1024 }) as AsyncIterable<Buffer>
  } catch (error) {
    throw new Unreadable(`${path} cannot be read: ${(error as Error).message}.`)
  }
}

async function filesOf(folder: string): Promise<FileToSend[]> {
  const entries = (await readdir(folder)).filter((entry) => /\.csv(\.gz)?$/.test(entry)).sort()
  const files = entries.map(async (entry) => {
    const path = join(folder, entry)
    const { size: bytes } = await stat(path)
    return { name: entry.replace(/\.csv(\.gz)?$/, ''), pieces: [{ path, bytes, end: '' }], bytes }
  })
  if (files.length === 0) throw new Error(`The folder ${folder} holds no .csv files.`)
  return Promise.all(files)
}

const RESOURCES = /\.ndjson(?:\.gz)?$/
const isPacked = (entry: string) => entry.endsWith('.gz')
const inOrder = new Intl.Collator('en', { numeric: true }).compare

/**
 * The files of a bulk export that Pillar reads: the resource type comes from names such as Patient.ndjson, Patient.000.ndjson or
 * 3.Patient.ndjson.gz. Several of one type are sent one after the other, as one file.
 */
async function resourceFilesOf({ folder, onSkipped }: Folder): Promise<FileToSend[]> {
  const entries = (await readdir(folder)).filter((entry) => RESOURCES.test(entry)).sort(inOrder)
  const typeOf = (entry: string) => FHIR_FILES.find((type) => entry.split(/[^A-Za-z]+/).includes(type))
  const skipped = entries.filter((entry) => !typeOf(entry))
  if (skipped.length > 0) onSkipped?.(skipped)
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
    const { size: bytes } = await file.stat()
    if (last || bytes === 0 || isPacked(path)) return { path, bytes, end: '' }
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, bytes - 1)
    return { path, bytes, end: buffer[0] === 10 ? '' : '\n' }
  } finally {
    await file.close()
  }
}
