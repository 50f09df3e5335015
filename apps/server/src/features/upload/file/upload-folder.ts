import { createHash } from 'node:crypto'
import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openLocal, uploadsRoot } from '../../../gateways/file/folder-store.ts'
import { UploadFault } from '../read/fault.ts'
import { plainBytes } from '../read/plain-file.ts'

/** Unfinished uploads idle for this long are deleted. */
const STALE_MS = 7 * 86_400_000

const PART = '.part'

export const partPath = (folder: string, name: string): string => join(folder, `${name}${PART}`)

function ifGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Bytes received of each file of an unfinished upload. */
export async function heldBytes(folder: string): Promise<Map<string, number>> {
  const held = new Map<string, number>()
  for (const entry of await readdir(folder).catch(() => [])) {
    if (!entry.endsWith(PART)) continue
    // Another process may be removing it.
    const found = await stat(join(folder, entry)).catch(ifGone)
    if (found) held.set(entry.slice(0, -PART.length), found.size)
  }
  return held
}

/**
 * SHA-256 of a file's text: of the decompressed content, so that compressing the same file again changes nothing.
 * A file that cannot be decompressed is hashed as received; the load reports the fault.
 */
async function hashFile(path: string, name: string): Promise<Buffer> {
  const open = openLocal(path)
  const hash = createHash('sha256')
  try {
    for await (const chunk of plainBytes(open, name)) hash.update(chunk)
    return hash.digest()
  } catch (error) {
    if (!(error instanceof UploadFault)) throw error
    const whole = createHash('sha256').update('as sent')
    for await (const chunk of await open()) whole.update(chunk as Buffer)
    return whole.digest()
  }
}

/** A complete part. */
export interface MeasuredPart {
  name: string
  bytes: number
  sha256: Buffer
}

/** Size and hash of each complete part. */
export async function measureParts(folder: string, names: readonly string[]): Promise<MeasuredPart[]> {
  const measured: MeasuredPart[] = []
  for (const name of names) {
    const path = partPath(folder, name)
    measured.push({ name, bytes: (await stat(path)).size, sha256: await hashFile(path, name) })
  }
  return measured
}

/** Deletes parts of an upload, and its folder if nothing else is in it. */
export async function removeParts(folder: string, which: (name: string) => boolean = () => true): Promise<void> {
  for (const name of (await heldBytes(folder)).keys())
    if (which(name)) await rm(partPath(folder, name), { force: true })
  await rmdir(folder).catch(() => {})
}

/** Unfinished uploads of a pharmacy: bytes received of each, and the time of the last. */
export async function unfinishedUploads(
  dataDir: string,
  locationId: number,
): Promise<{ uuid: string; bytes: number; touchedAt: Date }[]> {
  const root = join(uploadsRoot(dataDir), String(locationId))
  const found: { uuid: string; bytes: number; touchedAt: Date }[] = []
  for (const uuid of await readdir(root).catch(() => [])) {
    const parts = (await readdir(join(root, uuid)).catch(() => [])).filter((entry) => entry.endsWith(PART))
    // Another request may be finishing it.
    const stats = await Promise.all(parts.map((part) => stat(join(root, uuid, part)).catch(() => null)))
    const held = stats.filter((one) => one !== null)
    if (held.length === 0) continue
    const bytes = held.reduce((sum, one) => sum + one.size, 0)
    found.push({ uuid, bytes, touchedAt: new Date(Math.max(...held.map((one) => one.mtimeMs))) })
  }
  return found
}

/** Removes unfinished uploads last written to more than a week ago. */
export async function removeStale(dataDir: string): Promise<void> {
  const root = uploadsRoot(dataDir)
  for (const location of await readdir(root).catch(() => [])) {
    for (const uuid of await readdir(join(root, location)).catch(() => [])) {
      const folder = join(root, location, uuid)
      const parts = await heldBytes(folder)
      const found = await stat(folder).catch(ifGone)
      if (found && parts.size > 0 && Date.now() - found.mtimeMs > STALE_MS)
        await rm(folder, { recursive: true, force: true })
    }
  }
}
