import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { countRows, drill } from '../../../../deploy/restore-drill.ts'
import { findCitus } from '../../../../tools/cluster/nodes.ts'
import { distribute } from '../../src/db/distribute/distribute.ts'
import { rolesOfNode } from '../../src/db/distribute/node.ts'
import { DEEP } from '../deep.ts'
import { freePort, startPillar } from '../running-pillar.ts'
import { fill, type Hosts, makeHosts, missing as missingTools } from './drill-world.ts'

const missing = missingTools || ((await findCitus()) ? '' : ': install Citus for PostgreSQL 15 to run this')
const WORKERS = ['pillar-w1', 'pillar-w2'] as const
const NODES = ['pillar', ...WORKERS] as const
const POINT = 'pillar_20261125T1800'

/** Joins the databases of three hosts into one cluster, as docs/operations.md says. */
async function joinNodes(hosts: Hosts, folder: string, ports: Record<string, number>): Promise<void> {
  for (const stanza of NODES) {
    await hosts.admin(stanza, 'create extension citus', 'pillar')
    await hosts.admin(stanza, rolesOfNode('pillar_owner'))
  }
  await hosts.admin('pillar', `select citus_set_coordinator_host('${folder}', ${ports.pillar})`, 'pillar')
  for (const stanza of WORKERS)
    await hosts.admin('pillar', `select citus_add_node('${folder}', ${ports[stanza]})`, 'pillar')
}

/** Repeatedly adds a row with the same number to shards on both workers in one transaction. @returns the numbers whose commit was acknowledged */
async function keepWriting(url: string, stop: { now: boolean }): Promise<number[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const done: number[] = []
  try {
    for (let number = 1; !stop.now; number++) {
      await client.query('begin')
      for (const place of [1, 2, 3, 4, 5, 6])
        await client.query('insert into drill.written (place, number) values ($1, $2)', [place, number])
      await client.query('commit')
      done.push(number)
    }
  } catch {
    // Killed in the middle of a write.
  } finally {
    await client.end().catch(() => {})
  }
  return done
}

describe.skipIf(!DEEP)('the restore drill of a cluster', () => {
  it.skipIf(missing !== '')(
    `a cluster lost in the middle of writes is restored to one restore point on every node${missing}`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'pillar-drill-'))
      await chmod(folder, 0o755)
      const dataDir = join(folder, 'pillar')
      const ports = { pillar: await freePort(), 'pillar-w1': await freePort(), 'pillar-w2': await freePort() }
      const [url, ownerUrl] = ['server', 'owner'].map(
        (who) => `postgres://pillar_${who}:${who}@127.0.0.1:${ports.pillar}/pillar`,
      ) as [string, string]
      const settings = { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, DATA_DIR: dataDir, UPLOAD_FREE_MB: '0' }
      const hosts = await makeHosts(folder, ports, {
        ...{ shared_preload_libraries: 'citus', max_prepared_transactions: '100', 'citus.local_hostname': folder },
        'citus.shard_count': '4',
      })
      const lines: string[] = []
      const say = (line: string) => void lines.push(line)
      try {
        // Migrated by its first start, then spread.
        await (await startPillar(settings)).end('SIGTERM')
        await joinNodes(hosts, folder, ports)
        await distribute(ownerUrl, say)
        const pillar = await startPillar(settings)
        const signIn = await fill(pillar.url, settings)
        await pillar.end('SIGTERM')
        const before = await countRows(ownerUrl)
        await hosts.admin(
          'pillar',
          'create schema drill; create table drill.written (place bigint, number int)',
          'pillar',
        )
        await hosts.admin('pillar', `select create_distributed_table('drill.written', 'place')`, 'pillar')
        await hosts.admin(
          'pillar',
          'grant usage on schema drill to pillar_owner; grant all on drill.written to pillar_owner',
          'pillar',
        )
        for (const stanza of NODES) {
          await hosts.back(stanza, 'stanza-create')
          await hosts.back(stanza, '--type=full', 'backup')
        }
        const stop = { now: false }
        const writing = keepWriting(ownerUrl, stop)
        const written = async () =>
          (await hosts.admin('pillar', 'select max(number)::int as last from drill.written', 'pillar')).rows[0].last ??
          0
        await expect.poll(written, { timeout: 30_000 }).toBeGreaterThan(20)
        const least = await written()
        await hosts.admin('pillar', `select citus_create_restore_point('${POINT}')`, 'pillar')
        const most = (await written()) + 1
        await expect.poll(written, { timeout: 30_000 }).toBeGreaterThan(most + 20)
        for (const stanza of NODES) await archived(hosts, stanza)
        await hosts.lose()
        const acknowledged = await writing
        let kept: { place: number; n: number; last: number }[] = []
        const result = await drill({
          ...{ config: hosts.config, stanza: 'pillar', point: POINT, url, ownerUrl, dataDir, signIn, say },
          workers: WORKERS.map((stanza) => ({ host: folder, port: ports[stanza], stanza })),
          port: await freePort(),
          look: async (restored) => {
            const client = new pg.Client({ connectionString: restored })
            await client.connect()
            const { rows } = await client.query(
              'select place::int, count(*)::int as n, max(number)::int as last from drill.written group by 1 order by 1',
            )
            kept = rows
            const { rows: quiet } = await client.query(
              `select name from pg_settings where setting = '-1' and name like 'citus.%'`,
            )
            // Nothing of the restored coordinator went to the workers with which it was backed up.
            expect(quiet.map(({ name }) => name)).toEqual(expect.arrayContaining(['citus.recover_2pc_interval']))
            await client.end()
          },
        })
        process.stdout.write(`${lines.join('\n')}\n${acknowledged.length} written, to ${kept[0]?.last}.\n`)
        expect(result.failures).toEqual([])
        expect(lines.join('\n')).toContain('distribute: Every table lies where it belongs.')
        // Every place, on whichever worker, has the same numbers without a gap: those that ended before the point, and none begun after it.
        const last = kept[0]!.last
        expect(kept).toEqual([1, 2, 3, 4, 5, 6].map((place) => ({ place, n: last, last })))
        expect(last).toBeGreaterThanOrEqual(least)
        expect(last).toBeLessThanOrEqual(most)
        expect(result.counts).toEqual(before)
      } finally {
        await hosts.lose()
        await rm(folder, { recursive: true, force: true })
      }
    },
    600_000,
  )
})

/** Finishes the current log file, and waits until it is in the repository. */
async function archived(hosts: Hosts, stanza: string): Promise<void> {
  const { rows } = await hosts.admin(stanza, 'select pg_walfile_name(pg_switch_wal()) as name')
  const last = async () =>
    (await hosts.admin(stanza, 'select last_archived_wal as name from pg_stat_archiver')).rows[0].name as string
  await expect.poll(last, { timeout: 60_000 }).toSatisfy((name) => name >= rows[0].name)
}
