import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addMasterKey, keepMasterKeys, makeKeyFile, readMasterKeys } from './key-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pillar-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const where = (more: { KEYS?: string; SECRET?: string } = {}) => ({ DATA_DIR: join(folder, 'data'), ...more })
const idsOf = async (more = {}) => (await readMasterKeys(where(more))).keys.map(({ id }) => id)

it('many processes that start at once create one file, and all read the same key', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => makeKeyFile(where())))
  expect(new Set(made.map(({ keys }) => keys.map(({ id }) => id).join())).size).toBe(1)
  expect(made[0]!.keys).toHaveLength(1)
  expect(readdirSync(join(folder, 'data'))).toEqual(['keys'])
  expect(statSync(join(folder, 'data', 'keys')).mode & 0o777).toBe(0o600)
})

it('a new key comes last, comments stay, and removed keys disappear', async () => {
  const first = (await makeKeyFile(where())).keys[0]!.id
  writeFileSync(join(folder, 'data', 'keys'), `# in the safe\n${readFileSync(join(folder, 'data', 'keys'), 'utf8')}`)
  await addMasterKey(where())
  const [old, second] = await idsOf()
  expect(old).toBe(first)
  await keepMasterKeys(where(), [second!])
  expect(await idsOf()).toEqual([second])
  expect(readFileSync(join(folder, 'data', 'keys'), 'utf8')).toContain('# in the safe\n')
})

it('a new key is added on its own line, and only to a file that exists', async () => {
  mkdirSync(join(folder, 'data'))
  await expect(addMasterKey(where())).rejects.toThrow('ENOENT')
  const [first] = (await makeKeyFile(where())).keys.map(({ id }) => id)
  // As an editor would leave it.
  writeFileSync(join(folder, 'data', 'keys'), readFileSync(join(folder, 'data', 'keys'), 'utf8').trimEnd())
  await addMasterKey(where())
  expect(await idsOf()).toEqual([first, expect.any(String)])
})

it('a key file that cannot be read is an error, not an empty file', async () => {
  mkdirSync(join(folder, 'data', 'keys'), { recursive: true })
  await expect(readMasterKeys(where())).rejects.toThrow('cannot be read (EISDIR)')
})

it('every existing source opens, the newest last', async () => {
  const [file] = (await makeKeyFile(where())).keys.map(({ id }) => id)
  const SECRET = 's'.repeat(40)
  const [, derived] = await idsOf({ SECRET })
  const KEYS = `${'a1'.repeat(32)},\n ${'b2'.repeat(32)} # since spring`
  expect(await idsOf({ SECRET, KEYS })).toEqual([file, derived, expect.any(String), expect.any(String)])
  expect((await readMasterKeys(where({ SECRET }))).source).toBe('SECRET')
  expect((await readMasterKeys(where({ SECRET, KEYS }))).source).toBe('KEYS')
})

it('an empty file is not used as a key', async () => {
  await makeKeyFile(where())
  writeFileSync(join(folder, 'data', 'keys'), '')
  await expect(makeKeyFile(where())).rejects.toThrow('is empty. Remove it')
})
