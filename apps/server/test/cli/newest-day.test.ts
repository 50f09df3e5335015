import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

it('a truncated compressed file ends npm run upload with a sentence and code 2: 1 is a load that failed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pillar-newest-'))
  try {
    const rows = Array.from({ length: 5000 }, (_, at) => `${at},2026-01-${10 + (at % 20)}`)
    const packed = gzipSync(`script_id,dispensed_on\n${rows.join('\n')}\n`)
    writeFileSync(join(folder, 'scripts.csv.gz'), packed.subarray(0, packed.length - 200))
    const script = fileURLToPath(new URL('../../src/cli/upload.ts', import.meta.url))
    const words = ['--key', 'an-older-key', '--source', 'omop', '--shift-to', '2026-11-01', folder]
    const { status, stderr } = spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([2, `${join(folder, 'scripts.csv.gz')} cannot be read: unexpected end of file\n`])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
