import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Env } from '../env.ts'

/** The secret of an installation that has one already, as its commands find it; null where it is kept elsewhere. */
export async function findSecret(env: Pick<Env, 'SECRET' | 'DATA_DIR'>): Promise<Buffer | null> {
  if (env.SECRET) return Buffer.from(env.SECRET)
  const kept = await readFile(resolve(env.DATA_DIR, 'secret')).catch(() => null)
  return kept && kept.length >= 32 ? kept : null
}

/** The key of link hashes: SECRET, or one made at the first start and kept in DATA_DIR with owner-only rights. */
export async function readSecret(env: Pick<Env, 'SECRET' | 'DATA_DIR'>): Promise<Buffer> {
  const found = await findSecret(env)
  if (found) return found
  const path = resolve(env.DATA_DIR, 'secret')
  const kept = await readFile(path).catch(() => null)
  await mkdir(resolve(env.DATA_DIR), { recursive: true })
  const made = randomBytes(32)
  // 'wx': of two processes starting at once, one writes and the other reads.
  await writeFile(path, made, { mode: 0o600, flag: kept ? 'w' : 'wx' }).catch(() => {})
  return readFile(path)
}
