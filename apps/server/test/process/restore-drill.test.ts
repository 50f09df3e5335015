import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { countRows, drill } from '../../../../deploy/restore-drill.ts'
import { DEEP } from '../deep.ts'
import { freePort, startPillar } from '../running-pillar.ts'
import { fill, makeHosts, missing } from './drill-world.ts'

/** Writes a row every 50 ms, each acknowledged, until the database stops answering. @returns acknowledged rows with their time, newest last */
async function keepWriting(url: string, stop: { now: boolean }): Promise<{ id: number; at: number }[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const done: { id: number; at: number }[] = []
  try {
    while (!stop.now) {
      const { rows } = await client.query<{ id: number }>('insert into written default values returning id::int')
      done.push({ id: rows[0]!.id, at: Date.now() })
      await new Promise((wait) => setTimeout(wait, 50))
    }
  } catch {
    // Killed in the middle of a write.
  } finally {
    await client.end().catch(() => {})
  }
  return done
}

describe.skipIf(!DEEP)('the restore drill', () => {
  it.skipIf(missing !== '')(
    `a host lost in the middle of a write is restored from the encrypted repository${missing}`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'pillar-drill-'))
      await chmod(folder, 0o755)
      const dataDir = join(folder, 'pillar')
      const port = await freePort()
      const [url, ownerUrl] = ['server', 'owner'].map(
        (who) => `postgres://pillar_${who}:${who}@127.0.0.1:${port}/pillar`,
      ) as [string, string]
      const hosts = await makeHosts(folder, { pillar: port })
      try {
        await hosts.back('pillar', 'stanza-create')
        const settings = {
          DATABASE_URL: url,
          DATABASE_OWNER_URL: ownerUrl,
          DATA_DIR: dataDir,
          UPLOAD_FREE_MB: '0',
        }
        const pillar = await startPillar(settings)
        const signIn = await fill(pillar.url, settings)
        await pillar.end('SIGTERM')
        await hosts.back('pillar', '--type=full', 'backup')
        const before = await countRows(ownerUrl)
        const owner = new pg.Client({ connectionString: ownerUrl })
        await owner.connect()
        await owner.query(
          'create table written (id bigint generated always as identity, at timestamptz not null default clock_timestamp())',
        )
        await owner.end()
        const stop = { now: false }
        const writing = keepWriting(ownerUrl, stop)
        // Longer than archive_timeout: it has archived at least one log file by itself.
        await new Promise((wait) => setTimeout(wait, 75_000))
        const lostAt = Date.now()
        await hosts.lose()
        const acknowledged = await writing
        const lines: string[] = []
        const say = (line: string) => void lines.push(line)
        let kept: { n: number; last: number } | undefined
        const asked = { config: hosts.config, stanza: 'pillar', url, ownerUrl, dataDir, signIn, say }
        const result = await drill({
          ...asked,
          port: await freePort(),
          look: async (restored) => {
            const client = new pg.Client({ connectionString: restored })
            await client.connect()
            const { rows } = await client.query<{ n: number; last: number }>(
              'select count(*)::int as n, max(id)::int as last from written',
            )
            await client.end()
            kept = rows[0]
          },
        })
        const found = acknowledged.filter(({ id }) => id <= kept!.last)
        const lostSeconds = (lostAt - found.at(-1)!.at) / 1000
        process.stdout.write(
          `${lines.join('\n')}\n${acknowledged.length} writes acknowledged, ${kept!.n} restored: the last ${lostSeconds.toFixed(1)} s are lost. ` +
            `Database after ${result.restoreSeconds} s, checked after ${result.totalSeconds} s.\n`,
        )
        expect(result.failures).toEqual([])
        expect(lines.join('\n')).toMatch(/verify-audit: [1-9]\d* rows/)
        expect(lines.join('\n')).toContain('keys: 50 sealed values of 1 column open.')
        expect(lines.join('\n')).toContain('verify-register: 3 entries')
        // None is missing in between; only the end is lost.
        expect(kept!.n).toBe(kept!.last)
        expect(found.length).toBeGreaterThan(0)
        expect(lostSeconds).toBeLessThan(300)
        expect(result.totalSeconds).toBeLessThan(3600)
        result.counts.delete('public.written')
        expect(result.counts).toEqual(before)
        // A backup that no longer grows cannot be relied on.
        const late = await drill({ ...asked, port: await freePort(), maxAge: 0.01, maxBackupAge: 0.001 })
        expect(late.failures).toEqual([
          expect.stringMatching(/^The newest backup of pillar is \d+ hours old/),
          expect.stringMatching(/^The newest write that came back is \d+ minutes old/),
        ])
      } finally {
        await hosts.lose()
        await rm(folder, { recursive: true, force: true })
      }
    },
    600_000,
  )
})
