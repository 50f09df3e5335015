import { chmodSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { LEFT_OVER } from '../field/key-file.ts'
import type { RunAs } from './postgres-program.ts'
import { beginOf, commandOf } from './postmaster.ts'

/** What Pillar keeps in DATA_DIR: a folder that holds any of these is Pillar's own. */
const OURS = [
  ...['postgres', 'postgres.new', 'postgres.json', 'pillar.pid', 'secret', 'keys'],
  ...['uploads', 'audit', 's8', 's8-evidence', 'erasure', 'screens', 'demo.json'],
]
/** What an empty disk or a repository may hold all the same. */
const harmless = (name: string) => name === 'lost+found' || name.startsWith('.') || isOurRest(name)
/** The only leftover of a first start that was killed while it wrote its first file. */
const isOurRest = (name: string) => LEFT_OVER.test(name) && OURS.includes(name.replace(LEFT_OVER, ''))

/**
 * Creates DATA_DIR, or takes an existing folder, and closes it to everybody else: it holds health data and keys. If PostgreSQL runs as its
 * own user, that user's group may pass through, and no more.
 * @throws Error if the folder is full of other things or belongs to another user: its mode is not ours to change
 */
export async function makePrivate(dir: string, as: RunAs | null = null): Promise<string> {
  const path = resolve(dir)
  const entries = await entriesOf(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(
      `${path} cannot be used as a folder (${code}): set DATA_DIR to one that Pillar may make and write to.`,
    )
  })
  if (!entries.some((name) => OURS.includes(name)) && !entries.every(harmless))
    throw new Error(`The folder ${path} holds other files. Give Pillar a folder of its own: set DATA_DIR.`)
  const mode = as ? 0o710 : 0o700
  try {
    if (as) await chown(path, 0, as.gid)
    if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode)
  } catch {
    throw new Error(
      `The folder ${path} belongs to another user, so it cannot be closed to others. It holds health data: give it to the user Pillar runs as, or set DATA_DIR.`,
    )
  }
  return path
}

/** The entries of the folder, which is created if missing. */
async function entriesOf(path: string): Promise<string[]> {
  // Parent folders get the usual mode: only the last folder is ours.
  await makeFolder(path, 0o700)
  return readdirSync(path)
}

/** If an existing folder cannot take new ones, such as /proc, Node's own recursive mkdir would never end. */
async function makeFolder(path: string, mode?: number): Promise<void> {
  if (!existsSync(dirname(path))) await makeFolder(dirname(path))
  await mkdir(path, mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/**
 * Allows one Pillar per folder: a second one would stop the first one's database. The mark of a dead process does not count, even if
 * another program has its process id by now, as after a boot.
 */
export async function takeFolder(dir: string): Promise<() => Promise<void>> {
  const mark = join(dir, 'pillar.pid')
  const [pid, begin] = (await readFile(mark, 'utf8').catch(() => '')).split(' ')
  const holder = Number(pid)
  // The version before wrote only the process id.
  const isHolder = begin === undefined || begin === beginOf(holder)
  if (holder && holder !== process.pid && isHolder && commandOf(holder)?.startsWith('node')) {
    throw new Error(
      `Another Pillar (process ${holder}) already uses this folder. Stop it, or set DATA_DIR to another folder.`,
    )
  }
  const own = [process.pid, beginOf(process.pid)].filter((word) => word !== null).join(' ')
  await writeFile(mark, own, { mode: 0o600 })
  return () => rm(mark, { force: true })
}

/** The longest path of a socket in bytes, without the end mark; macOS and the BSDs allow fewer than Linux. */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103
const SOCKET = '.s.PGSQL.5432'

/**
 * The folder of the database's socket, which only its user may enter: in DATA_DIR, or a short one in the system's temporary folder if that
 * path would be too long for a socket. `last` is the previous one, to reuse or remove.
 */
export async function socketFolder(dir: string, as: RunAs | null, last: string | null): Promise<string> {
  const near = join(dir, 'socket')
  let chosen = near
  if (fits(near)) await mkdir(near, { recursive: true, mode: 0o700 })
  else chosen = last && isPrivate(last, as) && fits(last) ? last : await shortFolder()
  if (last && last !== chosen && last !== near && isPrivate(last, as)) await rm(last, { recursive: true, force: true })
  if (as) await chown(chosen, as.uid, as.gid)
  chmodSync(chosen, 0o700)
  return chosen
}

const fits = (folder: string) => Buffer.byteLength(join(folder, SOCKET)) <= LONGEST_PATH

async function shortFolder(): Promise<string> {
  for (const base of [tmpdir(), '/tmp']) {
    if (fits(join(base, 'pillar-XXXXXX')) && existsSync(base)) return mkdtemp(join(base, 'pillar-'))
  }
  throw new Error(`No folder is short enough for the database's socket. Set DATA_DIR to a path under 80 characters.`)
}

/** Whether a folder of an earlier start is still ours: a name under /tmp may belong to another user by now. */
function isPrivate(folder: string, as: RunAs | null): boolean {
  try {
    const found = lstatSync(folder)
    const owner = as?.uid ?? process.getuid?.()
    return found.isDirectory() && (found.mode & 0o077) === 0 && found.uid === owner
  } catch {
    return false
  }
}
