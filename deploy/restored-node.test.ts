import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { programsFor } from './restored-node.ts'

let folder: string
const installed = () => join(folder, 'programs')
const backupOf = (version: string) => {
  const data = join(folder, `data-${version}`)
  mkdirSync(data)
  writeFileSync(join(data, 'PG_VERSION'), `${version}\n`)
  return data
}
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pillar-programs-'))
  for (const version of ['15', '17']) {
    const bin = join(installed(), version, 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'postgres'), '')
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

it('a backup is started by the programs of its own version, even beside a newer one', async () => {
  expect(await programsFor(backupOf('15'), installed())).toBe(join(installed(), '15', 'bin'))
  expect(await programsFor(backupOf('17'), installed())).toBe(join(installed(), '17', 'bin'))
})

it('a backup of a version that is not installed says which package is missing', async () => {
  await expect(programsFor(backupOf('16'), installed())).rejects.toThrow(
    'The backup is one of PostgreSQL 16, which is not installed here (apt-get install postgresql-16).',
  )
})
