import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it.each([
  ['mutate', 'tools/mutate.ts'],
  ['traces', 'tools/traces.ts'],
  ['upgrade-check', 'tools/upgrade-check.ts'],
  ['demo', 'demo/src/write.ts'],
])('npm run %s explains itself with --help, and does nothing', (name, file) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, '--help'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout.startsWith(`npm run ${name} -- `)).toBe(true)
})

it.each([
  [['--today', 'tomorrow', '--out', '/nowhere'], '--today is a date such as 2026-11-19, not tomorrow.'],
  [['--tody', '2026-11-19'], "Unknown option '--tody'"],
])('npm run demo -- %j says in a sentence what is wrong', (words, sentence) => {
  const { status, stderr } = spawnSync(process.execPath, ['demo/src/write.ts', ...words], { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr.startsWith(sentence)).toBe(true)
  expect(stderr).not.toContain('    at ')
})
