import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { checkPlacement, distribute, gather } from '../../src/db/distribute/distribute.ts'
import { DISTRIBUTED } from '../../src/db/distribute/placement.ts'
import { cloneDatabase } from '../database.ts'

const { CITUS_URL } = process.env
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

describe.runIf(CITUS_URL)('npm run distribute', () => {
  let url: string
  let drop: () => Promise<void>
  let owner: pg.Client
  const said: string[] = []
  const say = (line: string) => void said.push(line)

  beforeAll(async () => {
    const database = await cloneDatabase(inject('ownerUrl'))
    url = database.url
    drop = database.drop
    owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query(
      `insert into script (location_id, source, source_id, dispensed_on, patient_id, drug_id, days_supply, days_basis)
       select 1 + n % 9, 'made up', n::text, date '2026-01-01' + n % 300, n % 40, n % 7, 30, 1 from generate_series(1, 3000) n
       on conflict do nothing`,
    )
  })
  afterAll(async () => {
    await owner.end()
    await drop()
  })

  const rows = async () =>
    (
      await owner.query<{ n: string; hash: string }>(
        `with s as materialized (select * from script)
         select count(*) as n, md5(string_agg(s::text, ',' order by location_id, source_id)) as hash from s`,
      )
    ).rows[0]

  /** Shards of scripts, each with a tenant's connection to its worker. */
  const placements = async () => {
    const { rows } = await owner.query<{ host: string; port: number; shard: string; count: string }>(
      `select n.nodename as host, n.nodeport as port, 'script_' || p.shardid as shard, c.result as count
       from run_command_on_placements('script', 'select count(*) from %s') c join pg_dist_placement p using (shardid)
       join pg_dist_node n using (groupid)`,
    )
    return rows.map(({ host, port, shard, count }) => {
      const at = new URL(url)
      at.username = 'pillar_app'
      at.host = `${host}:${port}`
      return { url: at.href, shard, rows: Number(count) }
    })
  }

  const shards = async (statement: string) =>
    owner.query('select success, result from run_command_on_placements($1::regclass, $2)', ['script', statement])

  it('finds nothing wrong with its own result, and moves nothing twice', async () => {
    expect(await checkPlacement(url)).toEqual([])
    said.length = 0
    await distribute(url, say)
    expect(said).toEqual(['Every table lies where it belongs.'])
  })

  it('takes every table back with its rows, and moves them again', async () => {
    const before = await rows()
    expect(Number(before?.n)).toBe(3000)
    await gather(url, say)
    expect(await rows()).toEqual(before)
    const left = await checkPlacement(url)
    expect(left).toHaveLength(DISTRIBUTED.length)
    expect(left[0]).toBe('script is not on the workers: run "npm run distribute".')
    // As after migrations by an owner who had no bypassrls: it is for the owner, whatever the owner's name, and not for a role of ours.
    await owner.query('create policy owner on script to current_user using (true)')
    await distribute(url, say)
    const { rows: policies } = await owner.query(`select policyname from pg_policies where tablename = 'script'`)
    expect(policies).toEqual([{ policyname: 'tenant' }])
    expect(await rows()).toEqual(before)
    expect(await checkPlacement(url)).toEqual([])
  })

  it('shows a tenant on the workers only the rows of the scope, even directly on a shard, and none without one', async () => {
    const count = async (scope: string | null) => {
      await owner.query('begin')
      await owner.query('set local citus.propagate_set_commands = local')
      await owner.query('set local role pillar_app')
      if (scope) await owner.query(`set local pillar.location_ids = '${scope}'`)
      const { rows } = await owner.query<{ ids: string[] | null }>(
        'select array_agg(distinct location_id order by location_id) as ids from script',
      )
      await owner.query('rollback')
      return rows[0]?.ids?.map(Number) ?? []
    }
    expect(await count(null)).toEqual([])
    expect(await count('{2,5}')).toEqual([2, 5])
    for (const place of await placements()) {
      const worker = new pg.Client({ connectionString: place.url })
      await worker.connect()
      await worker.query('begin')
      const seen = async () => (await worker.query(`select from ${place.shard}`)).rowCount
      expect(await seen()).toBe(0)
      await worker.query(`set local pillar.location_ids = '{1,2,3,4,5,6,7,8,9}'`)
      expect(await seen()).toBe(place.rows)
      await worker.end()
    }
  })

  it('reports shards that read the scope for each row, or lack row security, and repairs their policy', async () => {
    await shards(`alter policy tenant on %s using (location_id = any (scope_location_ids()))`)
    expect(await checkPlacement(url)).toEqual([
      expect.stringMatching(/^\d+ shards of script read the scope for each row: run "npm run distribute"\.$/),
    ])
    await distribute(url, say)
    expect(await checkPlacement(url)).toEqual([])
    await shards('alter table %s no force row level security')
    expect(await checkPlacement(url)).toEqual([
      expect.stringMatching(/^\d+ shards of script lack row security: do not serve from them\.$/),
    ])
    await distribute(url, say)
    expect(await checkPlacement(url)).toEqual([])
  })

  it('refuses a table that has no place, and moves nothing', async () => {
    await owner.query('create table surprise (id bigint)')
    await expect(distribute(url, say)).rejects.toThrow('The table surprise has no place')
    expect(await checkPlacement(url)).toEqual([expect.stringContaining('The table surprise has no place')])
    await owner.query('drop table surprise')
  })

  it('refuses while an upload is being loaded, and while another process migrates', async () => {
    await owner.query(`insert into company (uuid, name) values (gen_random_uuid(), 'Busy')`)
    await owner.query(
      `insert into location (uuid, company_id, name) select gen_random_uuid(), id, 'Busy' from company where name = 'Busy'`,
    )
    await owner.query(
      `insert into upload (uuid, location_id, data_source, etl_state)
       select gen_random_uuid(), id, 'made up', 'PROCESSING' from location where name = 'Busy'`,
    )
    await expect(distribute(url, say)).rejects.toThrow('Nothing was moved: 1 uploads are being loaded')
    await expect(gather(url, say)).rejects.toThrow('Nothing was moved: 1 uploads are being loaded')
    await owner.query('delete from upload')
  })

  it('lets a later migration add a column and an index to tables on the workers', async () => {
    await owner.query('alter table script add column tried smallint')
    await owner.query('create index concurrently script_tried on script (location_id, tried)')
    const { rows } = await owner.query<{ n: number }>('select count(tried)::int as n from script where location_id = 3')
    expect(rows).toEqual([{ n: 0 }])
    await owner.query('drop index script_tried')
    await owner.query('alter table script drop column tried')
  })
})
