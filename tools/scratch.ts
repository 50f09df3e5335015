import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps this folder in memory. */
const IN_MEMORY = '/dev/shm'

/** Several times what a run has been seen to need. */
const ROOM_BYTES = 6 * 2 ** 30

/** Whether the in-memory folder exists and has room, and the machine has the memory for it. */
function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    const available = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))
    return bavail * bsize >= ROOM_BYTES && Number(available?.[1] ?? 0) * 1024 >= ROOM_BYTES
  } catch {
    return false
  }
}

/**
 * Makes a folder for what tests write: databases, data folders, browser profiles. It is in memory if there is room, because none of it has
 * to survive and a disk takes half of the tests' time; with TMPDIR set it is there.
 * @returns the folder, which programs find as TMPDIR, and a function that removes it; the end of this program also removes it
 */
export function makeScratch(): { folder: string; remove: () => void } {
  const parent = process.env.TMPDIR || !hasRoom() ? tmpdir() : IN_MEMORY
  const folder = mkdtempSync(join(parent, 'pillar-tests-'))
  // PostgreSQL passes through it as a separate user.
  chmodSync(folder, 0o711)
  // Programs started in it may take a moment to end, and still write.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  process.once('exit', remove)
  return { folder, remove }
}
