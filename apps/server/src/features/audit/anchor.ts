import { createHmac } from 'node:crypto'
import { appendFileSync, closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Head } from './verify.queries.ts'

/** The heads of the chains at one moment, kept outside the database: rows cut off or overwritten later no longer fit it. */
export interface Anchor {
  at: string
  /** The chains that have grown since the previous anchor. */
  heads: Head[]
  /** Its code, also kept in the email and in the log. */
  mac: string
}

const Line = z.object({
  at: z.iso.datetime(),
  heads: z.record(
    z.string().regex(/^\d+$/),
    z.tuple([z.number().int().positive(), z.string().regex(/^[0-9a-f]{64}$/)]),
  ),
  /** Over this line and the one before, with this installation's key. */
  mac: z.string(),
})
type Line = z.output<typeof Line>

/**
 * Which chains are anchored, each kind in its own file: the audit's (one per company), the registers' (one per pharmacy), or those of the
 * evidence beside register entries.
 */
export type Anchored = 'audit' | 's8' | 's8-evidence'

/** Long enough to contain the last line's code. */
const TAIL_BYTES = 256

/** One line of JSON for each anchor. */
export const anchorFile = (dataDir: string, of: Anchored = 'audit') => join(dataDir, of, 'anchors.jsonl')

/** Links each line to the one before, so that none can be altered or left out. */
const macOf = (of: Anchored, secret: Buffer, before: string, { at, heads }: Omit<Line, 'mac'>) =>
  createHmac('sha256', secret)
    .update(`${of} anchor\n${before}\n${JSON.stringify({ at, heads })}`)
    .digest('hex')

/**
 * The anchors kept in DATA_DIR, oldest first; empty if there is no file.
 * @throws Error that names the first altered line
 */
export async function readAnchors(dataDir: string, secret: Buffer, of: Anchored = 'audit'): Promise<Anchor[]> {
  return (await readLines(dataDir, secret, of)).map(({ at, heads, mac }) => ({ at, heads: headsOf(heads), mac }))
}

/**
 * Adds an anchor of the chains that have grown; it is on disk on return. First removes an incomplete last line and calls `warn`: that line
 * was never acknowledged. @returns its mac, for the log; null if nothing has grown
 * @throws Error, without adding anything, if another process has added an anchor since this one read the file
 */
export async function addAnchor(
  dataDir: string,
  secret: Buffer,
  heads: readonly Head[],
  now: Date,
  of: Anchored = 'audit',
  warn: (line: string) => void = () => {},
): Promise<string | null> {
  const text = await readText(anchorFile(dataDir, of))
  const lines = linesOf(text, dataDir, secret, of)
  const known = new Map(lines.flatMap((line) => headsOf(line.heads).map((head) => [head.chain, head.seq] as const)))
  const moved = heads.filter(({ chain, seq }) => seq > (known.get(chain) ?? 0))
  if (moved.length === 0) return null
  const line = {
    at: now.toISOString(),
    heads: Object.fromEntries(moved.map(({ chain, seq, hash }) => [chain, [seq, hash] as [number, string]])),
  }
  const mac = macOf(of, secret, lines.at(-1)?.mac ?? '', line)
  await mkdir(join(dataDir, of), { recursive: true, mode: 0o700 })
  const file = anchorFile(dataDir, of)
  const { whole, torn } = partsOf(text)
  const begin = whole === '' || whole.endsWith('\n') ? '' : '\n'
  addAfter(file, { text, whole }, `${begin}${JSON.stringify({ ...line, mac })}\n`)
  if (torn !== '') {
    warn(
      `The last line of ${file} broke off, as in a power cut, and was cut off. Anchoring goes on from the one before.`,
    )
  }
  return mac
}

/**
 * Appends to a file that still ends as `text` does, after cutting it to `whole`. Synchronously: a process that was frozen since it read the
 * file has lost its lock, and another may have had its turn.
 */
function addAfter(file: string, { text, whole }: { text: string; whole: string }, line: string): void {
  const read = Buffer.from(text, BYTES)
  const handle = openSync(file, 'a+', 0o600)
  try {
    const tail = read.subarray(-TAIL_BYTES)
    const now = Buffer.alloc(tail.length)
    readSync(handle, now, 0, tail.length, read.length - tail.length)
    if (fstatSync(handle).size !== read.length || !now.equals(tail))
      throw new Error(`Another process has added to ${file} meanwhile. Nothing was added.`)
    if (whole !== text) ftruncateSync(handle, whole.length)
    appendFileSync(handle, line, { flush: true })
  } finally {
    closeSync(handle)
  }
}

/** Splits a file of lines into its complete part and an incomplete end: a last line without a line end that is not JSON. */
function partsOf(text: string): { whole: string; torn: string } {
  const end = text.lastIndexOf('\n') + 1
  const last = text.slice(end)
  return last === '' || readJson(last) !== null ? { whole: text, torn: '' } : { whole: text.slice(0, end), torn: last }
}

/** One letter per byte: lines are ASCII, and an incomplete one may end in anything. */
const BYTES = 'latin1'

const readText = (file: string): Promise<string> =>
  readFile(file, BYTES).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })

const headsOf = (heads: Line['heads']): Head[] =>
  Object.entries(heads).map(([chain, [seq, hash]]) => ({ chain: Number(chain), seq, hash }))

const readLines = async (dataDir: string, secret: Buffer, of: Anchored): Promise<Line[]> =>
  linesOf(await readText(anchorFile(dataDir, of)), dataDir, secret, of)

function linesOf(text: string, dataDir: string, secret: Buffer, of: Anchored): Line[] {
  const { whole } = partsOf(text)
  let before = ''
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const parsed = Line.safeParse(readJson(line))
      if (!parsed.success || parsed.data.mac !== macOf(of, secret, before, parsed.data)) {
        throw new Error(
          `Line ${index + 1} of ${anchorFile(dataDir, of)} is not as it was written, or lines before it are gone.`,
        )
      }
      before = parsed.data.mac
      return parsed.data
    })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
