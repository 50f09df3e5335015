import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCompany } from '../people.ts'
import { bareEnv } from '../running-pillar.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { waiting } from '../waiting.ts'

const root = resolve(import.meta.dirname, '../../../..')
const folder = mkdtempSync(join(tmpdir(), 'pillar-interrupted-'))
const replies = join(folder, 'replies.csv')
writeFileSync(replies, 'from,to,text,at,id\n+61491570006,+61400000000,STOP,2026-11-25T18:00:00Z,SM1\n')

let server: TestServer
let company: string
beforeAll(async () => {
  server = await startTestServer()
  company = (await makeCompany(server)).name
  writeFileSync(join(server.services.env.DATA_DIR, 'secret'), server.services.secret)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** Starts a command as a shell does, at the head of a process group. */
function start(name: string, words: readonly string[]) {
  const env = { ...bareEnv(), DATABASE_URL: server.ownerUrl, DATA_DIR: server.services.env.DATA_DIR }
  const child = spawn(process.execPath, [`apps/server/src/cli/${name}.ts`, ...words], {
    cwd: root,
    env,
    detached: true,
  })
  let said = ''
  child.stdout.resume()
  child.stderr.on('data', (part) => (said += String(part)))
  const ended = new Promise<unknown[]>((done) => child.once('close', (code, signal) => done([code ?? signal, said])))
  return { pid: child.pid!, ended }
}

const AGAIN = 'Interrupted. Nothing is left half done; run the same command again to finish.\n'
const ADA = ['--username', 'ada', '--email', 'ada@mail.example', '--first', 'Ada', '--last', 'Hill', '--may', 'ecdr']

it.each([
  ['keys', ['rotate'], 'data_key', AGAIN],
  ['re-erase', [], 'erasure', AGAIN],
  ['replies', [replies], 'gateway_event', AGAIN],
  ['person', ['add', '--company', '', ...ADA], 'login', AGAIN],
  ['pharmacy', ['add', '--company', 'New', '--name', 'Our Pharmacy', '--postcode', '2204'], 'location', AGAIN],
  [
    'after-restore',
    ['--since', '2026-11-25T18:00:00Z'],
    'restore_gap',
    'Interrupted. No worker starts until this has run to its end: run it again.\n',
  ],
  ['verify-audit', [], 'audit', AGAIN],
])(
  'npm run %s, interrupted, says so, ends with its signal’s code and leaves nothing behind; the next run succeeds',
  async (name, words, table, sentence) => {
    const all = words.map((word) => word || company)
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const holding = new pg.Client({ connectionString: server.ownerUrl })
      await holding.connect()
      try {
        await holding.query(`begin; lock table ${table} in access exclusive mode`)
        const { pid, ended } = start(name, all)
        await expect.poll(() => waiting(server), { timeout: 20_000 }).not.toEqual([])
        process.kill(-pid, signal)
        expect(await ended).toEqual([code, sentence])
        // PostgreSQL notices by itself, although it still does not get the lock.
        await expect.poll(() => waiting(server), { timeout: 10_000 }).toEqual([])
      } finally {
        await holding.end()
      }
    }
    expect(await start(name, all).ended).toEqual([0, ''])
  },
  120_000,
)
