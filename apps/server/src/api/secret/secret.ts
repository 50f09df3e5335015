import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Env } from '../../env.ts'

const LEAST_BYTES = 32

/** The secret of an installation that has one already, as its commands find it; null where it is kept elsewhere. */
export async function findSecret(env: Pick<Env, 'SECRET' | 'DATA_DIR'>): Promise<Buffer | null> {
  if (env.SECRET) return Buffer.from(env.SECRET)
  const kept = await readFile(resolve(env.DATA_DIR, 'secret')).catch(() => null)
  return kept && kept.length >= LEAST_BYTES ? kept : null
}

/**
 * The key of link hashes: SECRET, or one made at the first start and kept in DATA_DIR with owner-only rights.
 * @throws Error with a sentence when the file is cut short; of the file system when it cannot be read or made
 */
export async function readSecret(env: Pick<Env, 'SECRET' | 'DATA_DIR'>): Promise<Buffer> {
  const found = await findSecret(env)
  if (found) return found
  const path = resolve(env.DATA_DIR, 'secret')
  await mkdir(resolve(env.DATA_DIR), { recursive: true })
  // Whole before it has its name. Of several processes that start at once one gives it, and all read that one.
  const next = `${path}.${randomUUID()}`
  await writeFile(next, randomBytes(LEAST_BYTES), { mode: 0o600, flag: 'wx', flush: true })
  await link(next, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(next)
  const kept = await readFile(path)
  if (kept.length >= LEAST_BYTES) return kept
  throw new Error(
    `The file ${path} holds ${kept.length} bytes, and a secret has at least ${LEAST_BYTES}. Put it back from a backup. ` +
      'Where Pillar has never run, delete it.',
  )
}
