import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps this folder in memory. */
const IN_MEMORY = '/dev/shm'

/** Several times what a run has been seen to take. */
const ROOM_BYTES = 6 * 2 ** 30

/** Whether the folder in memory is there and has room, and the machine has the memory behind it. */
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
 * Makes a folder for what tests write: databases, data folders, browser profiles. It lies in memory where there is room,
 * because nothing of it has to survive and a disk costs half the time of the tests; with TMPDIR set it lies there.
 * @returns the folder, which programs find as TMPDIR, and what removes it; the end of this program does, too
 */
export function makeScratch(): { folder: string; remove: () => void } {
  const parent = process.env.TMPDIR || !hasRoom() ? tmpdir() : IN_MEMORY
  const folder = mkdtempSync(join(parent, 'pillar-tests-'))
  // PostgreSQL passes through as a user of its own.
  chmodSync(folder, 0o711)
  // What was started in it may take a moment to end, and still write.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  process.once('exit', remove)
  return { folder, remove }
}
