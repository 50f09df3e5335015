import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { bareEnv } from '../running-pillar.ts'

const folder = mkdtempSync(join(tmpdir(), 'pillar-ends-'))
afterAll(() => rmSync(folder, { recursive: true }))

const root = resolve(import.meta.dirname, '../../../..')
const UPLOAD = 'apps/server/src/cli/upload.ts'
const DRILL = 'deploy/restore-drill.ts'
const KEY = ['--key', 'an-older-key', '--source', 'canonical']
const env = { ...bareEnv(), DATA_DIR: folder }

it.each(['apps/server/src/cli/keys.ts', DRILL])(
  '%s continues if its output is no longer read, as by head',
  async (script) => {
    const child = spawn(process.execPath, [script, '--help'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    child.stderr.on('data', (part) => (said += String(part)))
    child.stdout.destroy()
    const code = await new Promise((done) => child.once('close', done))
    expect([code, said]).toEqual([0, ''])
  },
)

it('npm run upload ends with 0 once it is loaded, even if nobody reads on: 1 is a load that failed', async () => {
  const files = mkdtempSync(join(folder, 'loaded-'))
  writeFileSync(join(files, 'drugs.csv'), 'drug_id\n')
  const status = { uuid: 'u', etl_state: 'COMPLETED', notes: '', retry_at: null, files: [], faults: [], fault_count: 0 }
  const server = createServer((asked, answer) => {
    asked.resume()
    asked.on('end', () => answer.end(JSON.stringify({ ...status, repeated: false })))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  try {
    const words = [UPLOAD, ...KEY, '--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`, files]
    const child = spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.destroy()
    expect(await new Promise((done) => child.once('close', done))).toBe(0)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

it.each(['localhost:3000', 'pillar.example.com', 'ftp://pillar.example.com', ''])(
  'npm run upload refuses the address "%s" at once, without trying for four minutes',
  (url) => {
    const words = [UPLOAD, ...KEY, '--url', url, folder]
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, env, encoding: 'utf8', timeout: 50_000 })
    expect([status, stderr]).toEqual([2, `--url is an address such as https://pillar.example.com, not "${url}".\n`])
  },
  60_000,
)

it('npm run upload does not retry files that cannot be read on this machine, and releases the server', async () => {
  const files = join(folder, 'files')
  mkdirSync(files)
  symlinkSync(folder, join(files, 'scripts.csv'))
  let closed = false
  const server = createServer((asked) => {
    asked.resume()
    asked.on('error', () => {})
    asked.on('close', () => (closed = true))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const words = [UPLOAD, ...KEY, '--url', url, files]
    const [code, said] = await new Promise<[number | null, string]>((done) => {
      const child = execFile(process.execPath, words, { cwd: root, env, timeout: 20_000 }, (_error, _out, stderr) =>
        done([child.exitCode, stderr]),
      )
    })
    expect([code, said]).toEqual([2, expect.stringMatching(/scripts\.csv cannot be read: EISDIR.*\n$/)])
    expect(said.trim().split('\n')).toHaveLength(1)
    await expect.poll(() => closed).toBe(true)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}, 60_000)

it('the restore drill takes its settings from files as Pillar does, and refuses an invalid port before it restores anything', () => {
  const file = join(folder, 'database_url')
  writeFileSync(file, 'postgres://pillar_server:x@db.example:5432/pillar\n')
  const drill = (...words: string[]) => {
    const all = [DRILL, '--config', join(folder, 'none.conf'), '--stanza', 'pillar', ...words]
    const settings = { ...env, DATABASE_URL_FILE: file, TMPDIR: folder }
    const { status, stderr } = spawnSync(process.execPath, all, { cwd: root, env: settings, encoding: 'utf8' })
    return [status, stderr]
  }
  expect(drill()).toEqual([2, expect.not.stringContaining('npm run restore-drill')])
  expect(drill('--port', 'abc')).toEqual([2, expect.stringMatching(/^--port is a number below 65535, not "abc"\./)])
}, 60_000)

it('npm run upload, interrupted while it sends, says that Pillar keeps what has arrived', async () => {
  const files = mkdtempSync(join(folder, 'interrupted-'))
  writeFileSync(join(files, 'drugs.csv'), 'drug_id\n')
  let asked = () => {}
  const reached = new Promise<void>((done) => (asked = done))
  const server = createServer(() => asked())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  try {
    const words = [UPLOAD, ...KEY, '--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`, files]
    const child = spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    child.stderr.on('data', (part) => (said += String(part)))
    await reached
    child.kill('SIGINT')
    const code = await new Promise((done) => child.once('close', done))
    expect([code, said]).toEqual([
      130,
      'Interrupted. Pillar keeps what has arrived: the same command goes on from there.\n',
    ])
  } finally {
    server.closeAllConnections()
    server.close()
  }
}, 60_000)
