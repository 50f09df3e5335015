import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { folderStore, uploadFolder } from './folder-store.ts'

const UPLOAD = { locationId: 7, uuid: '0190a0c0-0000-7000-8000-000000000001' }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pillar-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('opens files stored before the data folder was moved', async () => {
  const [before, after] = [join(folder, 'uploads', 'data'), join(folder, 'elsewhere')]
  const place = uploadFolder(before, UPLOAD.locationId, UPLOAD.uuid)
  mkdirSync(place, { recursive: true })
  const part = join(place, 'scripts.part')
  writeFileSync(part, 'script_id\n')
  const kept = await folderStore(before).keep(UPLOAD, new Map([['scripts', part]]))
  renameSync(before, after)
  expect(await text(await folderStore(after).open(kept.get('scripts')!)())).toBe('script_id\n')
})

it('removes complete files that are not named, leaves those still arriving, and removes the folder once it is empty', async () => {
  const place = uploadFolder(folder, UPLOAD.locationId, UPLOAD.uuid)
  mkdirSync(place, { recursive: true })
  for (const name of ['drugs.csv', 'scripts.csv', 'stock.csv.part']) writeFileSync(join(place, name), 'x')
  const files = folderStore(folder)
  await files.removeOthers(UPLOAD, new Set(['scripts']))
  expect(readdirSync(place)).toEqual(['scripts.csv', 'stock.csv.part'])
  await files.removeOthers(UPLOAD, new Set())
  expect(readdirSync(place)).toEqual(['stock.csv.part'])
  rmSync(join(place, 'stock.csv.part'))
  await files.removeOthers(UPLOAD, new Set())
  expect(existsSync(place)).toBe(false)
})
