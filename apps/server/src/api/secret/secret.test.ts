import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makePrivate } from '../../db/embedded/data-folder.ts'
import { makeKeyFile } from '../../db/field/key-file.ts'
import { readEnv } from '../../env.ts'
import { findSecret, readSecret } from './secret.ts'

let DATA_DIR: string
beforeEach(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), 'pillar-secret-'))
})
afterEach(() => rm(DATA_DIR, { recursive: true, force: true }))

it('several first starts at once create one secret, readable only by the owner', async () => {
  const made = await Promise.all([1, 2, 3, 4].map(() => readSecret({ DATA_DIR })))
  expect(new Set(made.map((one) => one.toString('hex'))).size).toBe(1)
  expect(made[0]!.toString()).toMatch(/^[0-9a-f]{64}$/)
  expect(await readdir(DATA_DIR)).toEqual(['secret'])
  expect((await stat(join(DATA_DIR, 'secret'))).mode & 0o777).toBe(0o600)
})

it('a truncated file is refused and left unchanged: another secret would end every link and every second factor', async () => {
  const path = join(DATA_DIR, 'secret')
  for (const bytes of [31, 0]) {
    const rest = Buffer.alloc(bytes, 7)
    await writeFile(path, rest)
    await expect(readSecret({ DATA_DIR })).rejects.toThrow(
      `The file ${path} holds ${bytes} bytes, and a secret has at least 32. Put it back from a backup.`,
    )
    expect(await readFile(path)).toEqual(rest)
  }
})

it('the created file can be copied from paper and given as SECRET: it is the same secret', async () => {
  const made = await readSecret({ DATA_DIR })
  const path = join(DATA_DIR, 'secret')
  expect(await findSecret(readEnv({ SECRET_FILE: path, DATA_DIR: '/nowhere' }))).toEqual(made)
  await writeFile(path, `${made}\n`)
  expect(await readSecret({ DATA_DIR })).toEqual(made)
  await writeFile(path, made.subarray(0, 40))
  await expect(readSecret({ DATA_DIR })).rejects.toThrow('holds 40 bytes, and a secret has at least 64')
})

it('a file from an earlier version contains bytes, and stays unchanged', async () => {
  const bytes = Buffer.from([...Array(32).keys()].map((at) => 200 + at))
  await writeFile(join(DATA_DIR, 'secret'), bytes)
  expect(await readSecret({ DATA_DIR })).toEqual(bytes)
})

it('a full disk is told by name, and leaves nothing that keeps the next start from the folder', async ({ skip }) => {
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', DATA_DIR], { stdio: 'ignore' })
  } catch {
    return skip('Mounting a small disk takes root.')
  }
  try {
    const filler = join(DATA_DIR, '.filler')
    await expect(writeFile(filler, Buffer.alloc(1 << 20))).rejects.toThrow('ENOSPC')
    const path = join(DATA_DIR, 'secret')
    await expect(readSecret({ DATA_DIR })).rejects.toThrow(`${path} cannot be written. The disk is full: make room.`)
    await expect(makeKeyFile({ DATA_DIR })).rejects.toThrow('keys cannot be written. The disk is full: make room.')
    expect(await readdir(DATA_DIR)).toEqual(['.filler'])
    await rm(filler)
    await readSecret({ DATA_DIR })
  } finally {
    execFileSync('/bin/umount', [DATA_DIR])
  }
})

it('a first start that was killed while it wrote the secret keeps the next one from nothing', async () => {
  const rest = `secret.${randomUUID()}`
  for (const name of [rest, `${rest}.new`]) await writeFile(join(DATA_DIR, name), '')
  expect(await makePrivate(DATA_DIR)).toBe(DATA_DIR)
  await writeFile(join(DATA_DIR, `letters.${randomUUID()}`), '')
  await expect(makePrivate(DATA_DIR)).rejects.toThrow('holds other files')
})
