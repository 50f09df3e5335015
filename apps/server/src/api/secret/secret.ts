import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import { flushed } from '../../db/field/key-file.ts'
import type { Env } from '../../env.ts'

const BYTES = 32

/** The secret in a file: 64 hex digits, or raw bytes of that length from an older version. */
function secretIn(file: Buffer): { secret: Buffer; least: number } {
  const text = file.toString('latin1').trimEnd()
  const hex = /^[0-9a-f]+$/.test(text)
  return { secret: hex ? Buffer.from(text) : file, least: hex ? 2 * BYTES : BYTES }
}

/** The secret of an installation that already has one, for its commands; null if it is kept elsewhere. */
export async function findSecret(env: Pick<Env, 'SECRET' | 'DATA_DIR'>): Promise<Buffer | null> {
  if (env.SECRET) return Buffer.from(env.SECRET)
  const kept = await readFile(resolve(env.DATA_DIR, 'secret')).catch(() => null)
  const { secret, least } = secretIn(kept ?? Buffer.alloc(0))
  return secret.length >= least ? secret : null
}

/**
 * The key for link hashes: SECRET, or one created at the first start and kept in DATA_DIR with owner-only rights, as text that is a valid
 * SECRET.
 * @throws Error with a sentence when the file is cut short; the file system's error when it cannot be read or created
 */
export async function readSecret(env: Pick<Env, 'SECRET' | 'DATA_DIR'>): Promise<Buffer> {
  const found = await findSecret(env)
  if (found) return found
  const path = resolve(env.DATA_DIR, 'secret')
  await mkdir(resolve(env.DATA_DIR), { recursive: true })
  // Whole before it has its name. Of several processes that start at once one gives it, and all read that one.
  const next = await flushed(path, randomBytes(BYTES).toString('hex'))
  await link(next, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(next)
  const { secret, least } = secretIn(await readFile(path))
  if (secret.length >= least) return secret
  throw new Error(
    `The file ${path} holds ${secret.length} bytes, and a secret has at least ${least}. Put it back from a backup. ` +
      'Where Pillar has never run, delete it.',
  )
}
