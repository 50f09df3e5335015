import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runPostmaster } from '../../src/db/embedded/postmaster.ts'
import { startPillar, temporaryFolder } from '../running-pillar.ts'

/** Stands in for a PostgreSQL that replays its log after a crash: it has its mark at once, and is ready after this many seconds. */
const program = (seconds: number) => `#!/bin/sh
mark() { printf '%s\\n\\n\\n\\n\\n\\n\\n%s\\n' $$ "$1" >"$2/postmaster.pid"; }
${seconds < 0 ? '' : `mark starting "$2"; sleep ${seconds}; mark ready "$2"`}
exec sleep 60
`

const folder = mkdtempSync(join(tmpdir(), 'pillar-slow-'))
const postgres = (name: string, seconds: number) => {
  const path = join(folder, name)
  writeFileSync(path, program(seconds))
  chmodSync(path, 0o755)
  return { postgres: path, initdb: '', as: null }
}
beforeAll(() => mkdirSync(join(folder, 'data')))
afterAll(() => rmSync(folder, { recursive: true }))

it('a database that replays its log after a crash is left alone, however long that takes: ended, it would start again', async () => {
  const said: string[] = []
  const running = await runPostmaster(postgres('slow', 3), join(folder, 'data'), [], (event) => said.push(event), 1000)
  expect(running.trouble()).toBeNull()
  expect(said).toEqual([
    'the database has not come up for 1 s: after a crash it reads its log again, and is left to it',
  ])
  await running.stop()
}, 30_000)

it('a database that does not even begin is given up', async () => {
  rmSync(join(folder, 'data/postmaster.pid'), { force: true })
  await expect(runPostmaster(postgres('never', -1), join(folder, 'data'), [], () => {}, 1000)).rejects.toThrow(
    'SIGKILL',
  )
}, 30_000)

it('a bucket that takes connections and answers nothing delays no start', async () => {
  const bucket = createServer()
  await new Promise<void>((listening) => bucket.listen(0, '127.0.0.1', listening))
  const { port } = bucket.address() as AddressInfo
  const DATA_DIR = await temporaryFolder('hung-bucket')
  const settings = {
    FILES: 's3',
    S3_BUCKET: 'b',
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_KEY_ID: 'x',
    S3_KEY_SECRET: 'y',
  }
  const pillar = await startPillar({ ...settings, DATA_DIR, PUBLIC_URL: 'http://localhost:1' })
  expect((await fetch(`${pillar.url}/readyz`)).status).toBe(200)
  await pillar.end('SIGTERM')
  bucket.close()
  rmSync(DATA_DIR, { recursive: true })
}, 60_000)
