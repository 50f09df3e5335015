import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** This version, and those whose pages may still be open or that may serve beside it. */
const VERSIONS = 3

const folderOf = (dataDir: string) => resolve(dataDir, 'screens')

/**
 * Copies the files of this version's screens into DATA_DIR, where every version finds them: a page may ask a process of another version for
 * its script, and one that stays open during an upgrade loads some files only later. Keeps those of the three versions that started last.
 * @param web the built screens
 * @throws Error if DATA_DIR takes no files
 */
export async function keepScreens(dataDir: string, web: string, now: Date): Promise<void> {
  const assets = join(web, 'assets')
  if (!existsSync(assets)) return
  const files = (await readdir(assets)).filter((name) => !name.endsWith('.br')).sort()
  // Their names contain a hash of their content.
  const version = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 16)
  const folder = folderOf(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const kept = join(folder, version)
  if (!existsSync(kept)) await copyWhole(assets, files, kept, folder)
  await utimes(kept, now, now)
  await removeOlder(folder, now)
}

/** Copies under another name first: a version is there whole or not at all, even if this process is killed or another copies the same. */
async function copyWhole(from: string, files: readonly string[], to: string, folder: string): Promise<void> {
  const part = await mkdtemp(join(folder, '.part-'))
  try {
    for (const name of files) await copyFile(join(from, name), join(part, name))
    await rename(part, to)
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    if (!existsSync(to)) throw error
  }
}

const DAY_MS = 86_400_000

async function removeOlder(folder: string, now: Date): Promise<void> {
  const found = await Promise.all(
    (await readdir(folder)).map(async (name) => ({
      name,
      at: await stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  )
  const whole = found.filter(({ name }) => !name.startsWith('.')).sort((a, b) => b.at - a.at)
  const left = found.filter(({ name, at }) => name.startsWith('.') && at < now.getTime() - DAY_MS)
  for (const { name } of [...whole.slice(VERSIONS), ...left])
    await rm(join(folder, name), { recursive: true, force: true })
}

/** The content of a file of another version's screens; null if none that is kept has it. @param name as in `/assets/name` */
export async function keptFile(dataDir: string, name: string): Promise<Buffer | null> {
  if (!/^\w[\w.-]*$/.test(name)) return null
  const folder = folderOf(dataDir)
  const versions = await readdir(folder).catch(() => [])
  for (const version of versions.filter((one) => !one.startsWith('.'))) {
    const content = await readFile(join(folder, version, name)).catch(() => null)
    if (content) return content
  }
  return null
}
