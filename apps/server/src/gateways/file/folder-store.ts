import { createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { type FileStore, type HeldUpload, isInS3, type OpenFile, StoreAway, type UploadPlace } from './file-store.ts'

const CHUNK = 128 * 1024
/** The same folder holds parts that are still arriving. */
const WHOLE = /\.(?:csv|ndjson)$/

/** The folder of all uploads: only a start creates it, so a missing folder means a missing disk. */
export const uploadsRoot = (dataDir: string): string => join(resolve(dataDir), 'uploads')

/** The folder of one upload until it is loaded. Under its pharmacy, so that no other pharmacy can reach it by guessing a uuid. */
export function uploadFolder(dataDir: string, locationId: number, uuid: string): string {
  return join(uploadsRoot(dataDir), String(locationId), uuid)
}

/** Creates the folder of all uploads, accessible only to the process's owner. */
export async function makeUploadsRoot(dataDir: string): Promise<void> {
  await mkdir(uploadsRoot(dataDir), { recursive: true, mode: 0o700 })
}

/**
 * Creates the folder of one upload. @throws ENOENT if the folder of all uploads is missing: otherwise the files would end up where nobody
 * finds them
 */
export async function makeFolder(folder: string): Promise<void> {
  for (const one of [dirname(folder), folder])
    await mkdir(one, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
}

/** A file on this machine's disk. */
export const openLocal =
  (path: string): OpenFile =>
  async () =>
    createReadStream(path, { highWaterMark: CHUNK })

/** Stores whole files beside their parts, in DATA_DIR/uploads. */
export function folderStore(dataDir: string): FileStore {
  const folderOf = ({ locationId, uuid }: UploadPlace) => uploadFolder(dataDir, locationId, uuid)
  return {
    async keep(_upload, parts) {
      const kept = new Map<string, string>()
      for (const [name, part] of parts) {
        const path = join(dirname(part), fileNameOf(name))
        await rename(part, path)
        kept.set(name, path)
      }
      for (const folder of new Set([...kept.values()].map((path) => dirname(path)))) await flush(folder)
      return kept
    },
    open(path) {
      // By its last three names, because the data folder may have moved since.
      const here = join(uploadsRoot(dataDir), ...path.split(sep).slice(-3))
      return isInS3(path) ? openCopied(here) : openLocal(here)
    },
    isThere: () =>
      access(uploadsRoot(dataDir)).then(
        () => true,
        () => false,
      ),
    remove: (upload) => rm(folderOf(upload), { recursive: true, force: true }),
    async removeOthers(upload, names) {
      const folder = folderOf(upload)
      const entries = await readdir(folder).catch(() => [])
      const kept = new Set([...names].map(fileNameOf))
      const gone = entries.filter((entry) => WHOLE.test(entry) && !kept.has(entry))
      for (const entry of gone) await rm(join(folder, entry), { force: true })
      // Not empty while files are left or arriving.
      if (gone.length === entries.length) await rmdir(folder).catch(() => {})
    },
    held: () => heldIn(uploadsRoot(dataDir)),
  }
}

/** A file stored in a bucket before the settings changed: until somebody copies it here, it is not gone. */
const openCopied =
  (path: string): OpenFile =>
  async () => {
    await access(path).catch((error: Error) => {
      throw new StoreAway(error)
    })
    return openLocal(path)()
  }

async function heldIn(root: string): Promise<HeldUpload[]> {
  const held: HeldUpload[] = []
  for (const location of await readdir(root).catch(() => [])) {
    for (const uuid of await readdir(join(root, location)).catch(() => [])) {
      // Another worker may have moved it.
      const found = await stat(join(root, location, uuid)).catch(() => null)
      if (found) held.push({ locationId: Number(location), uuid, touchedAt: found.mtime })
    }
  }
  return held
}

/** Makes renames in a folder survive a power cut. */
async function flush(folder: string): Promise<void> {
  const directory = await open(folder)
  await directory.sync().finally(() => directory.close())
}
