import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../running-pillar.ts'
import { startTestServer, type TestServer } from '../server.ts'

const SECRET = 's'.repeat(32)
const MAIN = resolve(import.meta.dirname, '../../src/main.ts')

let server: TestServer
let folder: string
beforeAll(async () => {
  // Its columns are sealed with keys derived from it.
  server = await startTestServer({ env: { SECRET } })
  folder = await mkdtemp(join(tmpdir(), 'pillar-full-log-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

it('a log on a full disk loses its lines and nothing else', async () => {
  const port = await freePort()
  const settings = {
    PORT: String(port),
    DATABASE_URL: server.servingUrl,
    DATA_DIR: folder,
    DEMO: 'none',
    MIGRATE: 'off',
  }
  // A file that is always full.
  const full = openSync('/dev/full', 'w')
  const pillar = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...settings, SECRET, ROLE: 'web', LOG_LEVEL: 'trace' },
    stdio: ['ignore', full, full],
  })
  closeSync(full)
  const exit = once(pillar, 'exit')
  const answer = async () => {
    if (pillar.exitCode !== null) return `ended with ${pillar.exitCode}`
    return fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status,
      () => 'no answer',
    )
  }
  try {
    await expect.poll(answer, { timeout: 40_000 }).not.toBe('no answer')
    const answers = []
    for (let time = 0; time < 20; time++) answers.push(await answer())
    expect(new Set(answers)).toEqual(new Set([200]))
  } finally {
    pillar.kill('SIGTERM')
  }
  expect(await exit).toEqual([0, null])
}, 90_000)
