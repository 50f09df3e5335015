import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { UploadFault } from './read/fault.ts'
import { plainBytes } from './read/plain-file.ts'

/** Unfinished uploads idle for this long are deleted. */
const STALE_MS = 7 * 86_400_000

const PART = '.part'

/** The folder of all uploads: it exists from the first upload on, so a missing folder means a missing disk. */
export const uploadsRoot = (dataDir: string): string => join(resolve(dataDir), 'uploads')

/** The folder of one upload until it is loaded. Under its pharmacy, so that no other pharmacy can reach it by guessing a uuid. */
export function uploadFolder(dataDir: string, locationId: number, uuid: string): string {
  return join(uploadsRoot(dataDir), String(locationId), uuid)
}

export const partPath = (folder: string, name: string): string => join(folder, `${name}${PART}`)

/** Bytes received of each file of an unfinished upload. */
export async function heldBytes(folder: string): Promise<Map<string, number>> {
  const held = new Map<string, number>()
  for (const entry of await readdir(folder).catch(() => [])) {
    if (entry.endsWith(PART)) held.set(entry.slice(0, -PART.length), (await stat(join(folder, entry))).size)
  }
  return held
}

export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/**
 * SHA-256 of a file's text: of the decompressed content, so that compressing the same file again changes nothing.
 * A file that cannot be decompressed is hashed as received; the load reports the fault.
 */
export async function hashFile(path: string, name: string): Promise<Buffer> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of plainBytes(path, name)) hash.update(chunk)
    return hash.digest()
  } catch (error) {
    if (!(error instanceof UploadFault)) throw error
    const raw = await open(path)
    const whole = createHash('sha256').update('as sent')
    for await (const chunk of raw.createReadStream()) whole.update(chunk as Buffer)
    return whole.digest()
  }
}

/** Renames the complete parts to their final names and deletes the others. @returns path by name */
export async function keepParts(folder: string, names: readonly string[]): Promise<Map<string, string>> {
  const kept = new Map<string, string>()
  for (const name of names) {
    const path = join(folder, fileNameOf(name))
    await rename(partPath(folder, name), path)
    kept.set(name, path)
  }
  for (const name of (await heldBytes(folder)).keys()) await rm(partPath(folder, name), { force: true })
  const directory = await open(folder)
  await directory.sync().finally(() => directory.close())
  return kept
}

export async function removeUpload(dataDir: string, locationId: number, uuid: string): Promise<void> {
  await rm(uploadFolder(dataDir, locationId, uuid), { recursive: true, force: true })
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

/** Every upload whose files lie in the data folder, and when something was last put there. */
export async function heldUploads(dataDir: string): Promise<{ locationId: number; uuid: string; touchedAt: Date }[]> {
  const root = uploadsRoot(dataDir)
  const held: { locationId: number; uuid: string; touchedAt: Date }[] = []
  for (const location of await readdir(root).catch(() => [])) {
    for (const uuid of await readdir(join(root, location)).catch(() => [])) {
      // Another worker may have moved it.
      const found = await stat(join(root, location, uuid)).catch(() => null)
      if (found) held.push({ locationId: Number(location), uuid, touchedAt: found.mtime })
    }
  }
  return held
}

/** Removes unfinished uploads last written to more than a week ago. */
export async function removeStale(dataDir: string): Promise<void> {
  const root = uploadsRoot(dataDir)
  for (const location of await readdir(root).catch(() => [])) {
    for (const uuid of await readdir(join(root, location)).catch(() => [])) {
      const folder = join(root, location, uuid)
      const parts = await heldBytes(folder)
      const { mtimeMs } = await stat(folder)
      if (parts.size > 0 && Date.now() - mtimeMs > STALE_MS) await rm(folder, { recursive: true, force: true })
    }
  }
}
