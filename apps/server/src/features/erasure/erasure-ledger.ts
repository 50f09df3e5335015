import { createHmac } from 'node:crypto'
import { appendFile, chown, mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const key = z.string().regex(/^[\w-]{32}$/)
const Erasure = z.object({
  uuid: z.uuid(),
  at: z.iso.datetime(),
  company: z.uuid(),
  reason: z.string(),
  /** Pharmacy (uuid) and key of each erased record. */
  records: z.array(z.tuple([z.uuid(), key])),
  keys: z.object({ person: z.array(key), sms: z.array(key), email: z.array(key) }),
})
/** One erased person, by keyed hashes alone. */
export type Erasure = z.output<typeof Erasure>
const Line = Erasure.extend({ mac: z.string() })

/** The erasures' file outside the database, so that restoring an older backup brings nobody back. */
export const ledgerFile = (dataDir: string) => join(dataDir, 'erasure', 'erasures.jsonl')

const macOf = (secret: Buffer, erasure: Erasure) =>
  createHmac('sha256', secret)
    .update(`erasure line\n${JSON.stringify(Erasure.parse(erasure))}`)
    .digest('hex')

/**
 * Every erasure kept in DATA_DIR, oldest first; empty if there is no file. Skips a line cut off by a crash: its erasure was not committed.
 * @throws Error that names the first line that was altered, or written with another secret
 */
export async function readLedger(dataDir: string, secret: Buffer): Promise<Erasure[]> {
  const text = await readFile(ledgerFile(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').flatMap((line, index) => {
    const json = readJson(line)
    if (json === null) return []
    const parsed = Line.safeParse(json)
    if (parsed.success && parsed.data.mac === macOf(secret, parsed.data)) return [Erasure.parse(parsed.data)]
    throw new Error(
      `Line ${index + 1} of ${ledgerFile(dataDir)} is not as it was written, or SECRET is not the one it was written with. ` +
        'Whom it erased would be known again after a restore: put the right secret or the right file in its place.',
    )
  })
}

/**
 * Adds an erasure; it is on disk on return. It begins with a line end, so that a line cut off by a crash takes nothing with it. A file made
 * by root, as by `npm run re-erase`, is given to the owner of DATA_DIR.
 */
export async function addToLedger(dataDir: string, secret: Buffer, erasure: Erasure): Promise<void> {
  const line = JSON.stringify({ ...Erasure.parse(erasure), mac: macOf(secret, erasure) })
  await mkdir(join(dataDir, 'erasure'), { recursive: true, mode: 0o700 })
  await appendFile(ledgerFile(dataDir), `\n${line}\n`, { mode: 0o600, flush: true })
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dataDir)
  for (const path of [join(dataDir, 'erasure'), ledgerFile(dataDir)]) await chown(path, uid, gid)
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
