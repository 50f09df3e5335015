import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Env } from '../../env.ts'
import { type MasterKey, masterKey } from './envelope.ts'

type Where = Pick<Env, 'KEYS' | 'SECRET' | 'DATA_DIR'>

/** Where an installation's keys come from: the setting KEYS, the setting SECRET, or its own file. */
export type KeySource = 'KEYS' | 'SECRET' | 'file'

export interface MasterKeys {
  source: KeySource
  /** The last one wraps new data keys; all of them unwrap. */
  keys: readonly MasterKey[]
}

/** Needed keys are unavailable: not there yet, or their file cannot be read at the moment. */
export class KeysAway extends Error {}

/** The key file of an installation whose settings name no keys. */
export const keyFile = ({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): string => resolve(DATA_DIR, 'keys')

const LINE = /^[0-9a-f]{64}$/i

/**
 * The available keys, read again each time: the lines of DATA_DIR/keys, the one derived from SECRET, and those in KEYS, as far as they
 * exist, so that an installation can move from one to the next.
 * @throws Error with a sentence when a line is not a key; KeysAway when the file cannot be read
 */
export async function readMasterKeys(env: Where): Promise<MasterKeys> {
  const text = await readFile(keyFile(env), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new KeysAway(`The file ${keyFile(env)} cannot be read (${error.code}).`)
  })
  const inFile = keysOf(text, `The file ${keyFile(env)}`)
  const derived = env.SECRET ? [masterKey(ofSecret(env.SECRET))] : []
  const set = keysOf(env.KEYS ?? '', 'The setting KEYS')
  return { source: set.length > 0 ? 'KEYS' : env.SECRET ? 'SECRET' : 'file', keys: [...inFile, ...derived, ...set] }
}

/**
 * Creates DATA_DIR/keys with a first key, readable only by its owner, complete and flushed before anything is sealed with it. Of two
 * processes starting at once, one creates it and the other reads it.
 * @throws Error if the file already exists without a key
 */
export async function makeKeyFile(env: Where): Promise<MasterKeys> {
  await mkdir(dirname(keyFile(env)), { recursive: true })
  const next = await flushed(keyFile(env), lineOf(randomBytes(32)))
  await link(next, keyFile(env)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(next)
  await flushFolder(keyFile(env))
  const made = await readMasterKeys(env)
  if (made.keys.length > 0) return made
  throw new Error(
    `The file ${keyFile(env)} is empty. Remove it: nothing is sealed yet, and the next start makes a key.`,
  )
}

/** Appends a new key to DATA_DIR/keys on its own line, flushed before it is used. @throws ENOENT if there is no such file */
export async function addMasterKey(env: Where): Promise<void> {
  const before = await readFile(keyFile(env), 'utf8')
  const end = before === '' || before.endsWith('\n') ? '' : '\n'
  await replaceFile(keyFile(env), `${before}${end}${lineOf(randomBytes(32))}`)
}

/** Leaves only these keys in DATA_DIR/keys. */
export async function keepMasterKeys(env: Where, ids: readonly string[]): Promise<void> {
  const lines = (await readFile(keyFile(env), 'utf8')).split('\n')
  const kept = lines.filter((line) => {
    const [key = ''] = partsOf(line)
    return !LINE.test(key) || ids.includes(masterKey(Buffer.from(key, 'hex')).id)
  })
  await replaceFile(keyFile(env), kept.join('\n'))
}

const ofSecret = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'pillar data keys', 32))

const lineOf = (bytes: Buffer) => `${bytes.toString('hex')}\n`

/** The words of a line before its comment. */
const partsOf = (line: string): string[] => (line.split('#')[0] ?? '').split(/[\s,]+/).filter((part) => part !== '')

function keysOf(text: string, where: string): MasterKey[] {
  const parts = text.split('\n').flatMap(partsOf)
  const wrong = parts.findIndex((part) => !LINE.test(part))
  if (wrong >= 0)
    throw new Error(`${where} holds something that is no key at place ${wrong + 1}. A key is 64 digits from 0 to f.`)
  return parts.map((part) => masterKey(Buffer.from(part, 'hex')))
}

/** Replaces the file whole or not at all, readable only by its owner: a truncated key file would lock everything it sealed. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await rename(await flushed(path, text), path)
  await flushFolder(path)
}

/**
 * Writes a file beside another and flushes it to disk. @returns its path
 * @throws Error naming the file; nothing half-written is left behind
 */
export async function flushed(path: string, text: string): Promise<string> {
  const next = `${path}.${randomUUID()}.new`
  try {
    const file = await open(next, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    return next
  } catch (error) {
    await rm(next, { force: true }).catch(() => {})
    const { code } = error as NodeJS.ErrnoException
    const full = code === 'ENOSPC' || code === 'EDQUOT' ? 'The disk is full: make room' : `It failed with ${code}`
    throw Object.assign(new Error(`${path} cannot be written. ${full}.`, { cause: error }), { code })
  }
}

/** The name of a file `flushed` was writing when the start was killed or the disk was full: nobody reads it. */
export const LEFT_OVER = /\.[0-9a-f]{8}-[0-9a-f-]{27}(\.new)?$/

async function flushFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
}
