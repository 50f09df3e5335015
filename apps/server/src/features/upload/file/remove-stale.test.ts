import { existsSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { uploadsRoot } from '../../../gateways/file/folder-store.ts'
import { removeStale } from './upload-folder.ts'

/** A DATA_DIR with unfinished uploads, last written to this many days ago. */
function folders(dataDir: string, count: number, days: number): string[] {
  const at = new Date(Date.now() - days * 86_400_000)
  return Array.from({ length: count }, (_, number) => {
    const folder = join(uploadsRoot(dataDir), '7', `${days}-${number}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'scripts.part'), 'x')
    utimesSync(folder, at, at)
    return folder
  })
}

it('unfinished uploads of last week are removed, even by several processes at once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pillar-stale-'))
  const [old, fresh] = [folders(dataDir, 200, 8), folders(dataDir, 3, 6)]
  await Promise.all(Array.from({ length: 6 }, () => removeStale(dataDir)))
  expect(old.filter(existsSync)).toEqual([])
  expect(fresh.filter(existsSync)).toEqual(fresh)
})
