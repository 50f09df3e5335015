import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { bareEnv } from '../running-pillar.ts'

const folder = mkdtempSync(join(tmpdir(), 'pillar-words-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a command with an unreachable database: if it proceeds, it finds none and says so. @returns its exit code and its message */
function run(name: string, ...words: string[]): Promise<[code: number | null, said: string]> {
  const env = { ...bareEnv(), DATA_DIR: folder }
  const script = fileURLToPath(new URL(`../../src/cli/${name}.ts`, import.meta.url))
  return new Promise((done) => {
    const child = execFile(process.execPath, [script, ...words], { env }, (_error, _out, said) =>
      done([child.exitCode, said]),
    )
  })
}

it('an unknown or nonsensical word stops a command before it does anything', async () => {
  const wrong = [
    ['migrate', '--dry-run'],
    ['re-erase', '--dry-run'],
    ['replies', '--dry-run', 'replies.csv'],
    ['verify-register', '--dry-run'],
    ['keys', 'retire', '--dry-run'],
    ['seen', '019ad000-0000-7000-8000-000000000000', '--last'],
    ['after-restore', '--since', '2026-02-30T10:00:00Z'],
    ['write-again', '--since', '2026-11-25 18:00'],
    ['distribute', '--check', '--undo'],
  ] as const
  const said = await Promise.all(wrong.map(async ([name, ...words]) => [name, ...(await run(name, ...words))]))
  expect(said).toEqual(wrong.map(([name]) => [name, 2, expect.not.stringMatching(/database|DATABASE/)]))
})
