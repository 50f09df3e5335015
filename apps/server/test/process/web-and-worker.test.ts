import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { addressOf } from '../../src/api/network.ts'
import { databaseUrl } from '../database.ts'
import { freePort, startPillar } from '../running-pillar.ts'
import { startTestServer } from '../server.ts'

const MIGRATE = resolve(import.meta.dirname, '../../src/cli/migrate.ts')
const NAME = `pillar_apart_${process.pid}`

let folder: string
let settings: Record<string, string>

async function asAdmin(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('ownerUrl') })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pillar-apart-'))
  await asAdmin(`create database ${NAME}`)
  settings = { DATA_DIR: folder, DATABASE_URL: databaseUrl(inject('servingUrl'), NAME), SECRET: 's'.repeat(32) }
})
afterAll(async () => {
  await asAdmin(`drop database ${NAME} with (force)`)
  await rm(folder, { recursive: true, force: true })
})

describe('a worker that may not migrate', () => {
  it('is refused until the migrations have run, then says on its own port that it is ready', async () => {
    const HEALTH_PORT = String(await freePort())
    const worker = { ...settings, ROLE: 'worker', MIGRATE: 'off', HEALTH_PORT }
    await expect(startPillar(worker)).rejects.toThrow(
      'The database lacks migrations of this version: run "npm run migrate" first.',
    )
    const env = { ...process.env, ...settings, DATABASE_OWNER_URL: databaseUrl(inject('ownerUrl'), NAME) }
    const migrated = spawnSync(process.execPath, [MIGRATE], { env, encoding: 'utf8' })
    expect([migrated.stderr, migrated.stdout]).toEqual(['', expect.stringMatching(/\nThe database is up to date\.\n$/)])
    const pillar = await startPillar(worker)
    try {
      for (const path of ['healthz', 'readyz'])
        expect((await fetch(`http://127.0.0.1:${HEALTH_PORT}/${path}`)).status, path).toBe(200)
      const figures = await fetch(`http://127.0.0.1:${HEALTH_PORT}/metrics`)
      expect([figures.status, await figures.text()]).toEqual([200, expect.stringContaining('\npillar_pool_limit{')])
      const elsewhere = await fetch(`http://127.0.0.1:${HEALTH_PORT}/metrics`, { headers: { via: '1.1 proxy' } })
      expect([elsewhere.status, await elsewhere.text()]).toEqual([404, expect.not.stringContaining('pillar_')])
      expect((await fetch(`http://127.0.0.1:${HEALTH_PORT}/`)).status).toBe(404)
      await expect(fetch(pillar.url)).rejects.toThrow()
    } finally {
      expect(await pillar.end('SIGTERM')).toBe(0)
    }
  })
})

describe('a proxy on another machine', () => {
  it('is believed where PROXIES names it, and nobody else is', async () => {
    const server = await startTestServer({ env: { PROXIES: '10.0.0.0/8' } })
    try {
      const seen: string[] = []
      server.app.addHook('onRequest', async (request) => void seen.push(addressOf(request)))
      for (const remoteAddress of ['10.1.2.3', '127.0.0.1', '192.0.2.7'])
        await server.app.inject({ url: '/healthz', remoteAddress, headers: { 'x-forwarded-for': '203.0.113.9' } })
      expect(seen).toEqual(['203.0.113.9', '203.0.113.9', '192.0.2.7'])
      // Some proxies give the ports too, of the visitor and of the proxy before them.
      for (const from of [
        '203.0.113.9:50123, 10.9.9.9:443',
        '[2001:db8::1]:443, [::ffff:10.9.9.9]:443',
        '192.0.2.7, 198.51.100.3',
      ])
        await server.app.inject({ url: '/healthz', remoteAddress: '10.1.2.3', headers: { 'x-forwarded-for': from } })
      expect(seen.slice(3)).toEqual(['203.0.113.9', '2001:db8::1', '198.51.100.3'])
    } finally {
      await server.close()
    }
  })
})
