import { LIVE_RUN_STATES } from '@pillar/domain/message/run-state'
import { PG_MIGRATE_LOCK_ID } from 'node-pg-migrate'
import type pg from 'pg'
import { openClient } from '../away.ts'
import { SAME_EVERYWHERE } from '../database.ts'
import { troubleOfNodes } from './node.ts'
import { DISTRIBUTED, LOCAL } from './placement.ts'

/** Raised for an obstacle; its message says what to do. */
class Hindered extends Error {}

/** How a shard's policy reads the scope: once per statement. Citus accepts this form only on shards. */
const ON_SHARD = '(location_id = any ((select scope_location_ids())::bigint[]))'

/**
 * Moves the tables of figures and their rows to the workers of a Citus cluster (decision 067). Leaves tables alone that are already there,
 * and corrects the policies of moved shards; so it may be run again at any time, and should be after every rebalance.
 * @param url the owner's connection to the coordinator
 * @throws Error that says what to do, before anything was moved
 */
export async function distribute(url: string, say: (line: string) => void): Promise<void> {
  await asMover(url, async (client) => {
    await refuseWhileBusy(client)
    await client.query(`select create_distributed_function('scope_location_ids()')`)
    let moved = 0
    for (const table of DISTRIBUTED) {
      const began = performance.now()
      if (!(await isDistributed(client, table))) {
        await move(client, table)
        moved++
        say(`${table}: distributed, ${seconds(began)}`)
      }
      await protectShards(client, table)
    }
    say(moved === 0 ? 'Every table lies where it belongs.' : `${moved} tables moved.`)
  })
}

/** Takes the tables of figures back from the workers, with their rows. */
export async function gather(url: string, say: (line: string) => void): Promise<void> {
  await asMover(url, async (client) => {
    await refuseWhileBusy(client)
    for (const table of [...DISTRIBUTED].reverse()) {
      const began = performance.now()
      if (!(await isDistributed(client, table))) continue
      await keepingRows(client, table, async () => {
        await client.query('select undistribute_table($1::regclass)', [table])
        await protect(client, table, false)
      })
      say(`${table}: taken back, ${seconds(began)}`)
    }
    say('Every table lies with the coordinator. The workers hold nothing of Pillar any more.')
  })
}

/** Everything wrong on the cluster, one sentence each; empty when all is well. Changes nothing. */
export async function checkPlacement(url: string): Promise<string[]> {
  const client = await openClient({ connectionString: url })
  try {
    const trouble = [...(await unlisted(client)), ...(await troubleOfNodes(client))]
    if (trouble.length > 0) return trouble
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
       where c.relnamespace = 'public'::regnamespace`,
    )
    const there = new Set(rows.map(({ name }) => name))
    for (const name of there)
      if (LOCAL.has(name)) trouble.push(`${name} is on the workers, and belongs with the coordinator.`)
    for (const table of DISTRIBUTED) {
      if (!there.has(table)) trouble.push(`${table} is not on the workers: run "npm run distribute".`)
      else trouble.push(...(await troubleOfShards(client, table)))
    }
    return trouble
  } finally {
    await client.end()
  }
}

/** Runs one at a time, and not during a migration. */
async function asMover(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  // Interrupted while it moves a large table, it would otherwise keep everybody waiting for that table until the table is moved.
  const options = `-c client_connection_check_interval=2s ${SAME_EVERYWHERE}`
  const client = await openClient({ connectionString: url, application_name: 'pillar_distribute', options })
  try {
    await client.query('set statement_timeout = 0')
    await client.query('set client_min_messages = warning')
    const { rows } = await client.query(`select pg_try_advisory_lock(${PG_MIGRATE_LOCK_ID}) as ours`)
    if (!rows[0].ours) throw new Hindered('Another process is migrating this database. Try again when it is done.')
    const trouble = [...(await unlisted(client)), ...(await troubleOfOwner(client)), ...(await troubleOfNodes(client))]
    if (trouble.length > 0) throw new Hindered(trouble.join('\n'))
    await client.query(`set citus.multi_shard_modify_mode = 'sequential'`)
    await work(client)
  } finally {
    await client.end()
  }
}

/** An owner who sees only some rows of a table would move only those. */
async function troubleOfOwner(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; sees: boolean }>(
    'select rolname as name, rolbypassrls or rolsuper as sees from pg_roles where rolname = current_user',
  )
  const [owner] = rows
  if (owner?.sees) return []
  return [
    `"${owner?.name}" does not see all rows: let an administrator run "alter role ${owner?.name} bypassrls" on every node.`,
  ]
}

/** Tables missing from the list of places: nobody has decided where their rows belong. */
async function unlisted(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  )
  const placed = new Set<string>([...DISTRIBUTED, ...LOCAL])
  return rows
    .filter(({ name }) => !placed.has(name))
    .map(({ name }) => `The table ${name} has no place: name it in apps/server/src/db/distribute/placement.ts.`)
}

async function refuseWhileBusy(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ uploads: number; runs: number }>(
    `select (select count(*) from upload where etl_state = 'PROCESSING')::int as uploads,
       (select count(*) from message_run where state = any ($1))::int as runs`,
    [LIVE_RUN_STATES.filter((state) => state !== 'stopped')],
  )
  const { uploads = 0, runs = 0 } = rows[0] ?? {}
  if (uploads + runs === 0) return
  throw new Hindered(
    `Nothing was moved: ${uploads} uploads are being loaded and ${runs} runs are under way. Let them end, stop Pillar, and try again.`,
  )
}

async function isDistributed(client: pg.Client, table: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_dist_partition where logicalrelid = $1::regclass', [table])
  return rowCount === 1
}

/** Rows are copied and removed from the coordinator together. */
async function move(client: pg.Client, table: string): Promise<void> {
  const [first] = DISTRIBUTED
  await keepingRows(client, table, async () => {
    await protect(client, table, true)
    await client.query('select create_distributed_table($1::regclass, $2, colocate_with => $3)', [
      table,
      'location_id',
      table === first ? 'none' : first,
    ])
    await client.query('select truncate_local_data_after_distributing_table($1::regclass)', [table])
  })
}

/** Moves a table in one transaction: all of its rows or nothing. Other writers wait. */
async function keepingRows(client: pg.Client, table: string, work: () => Promise<void>): Promise<void> {
  const count = async () => (await client.query(`select count(*)::text as n from ${table}`)).rows[0].n
  await client.query('begin')
  try {
    await client.query(`lock table ${table} in share mode`)
    const before = await count()
    await work()
    const after = await count()
    if (after !== before)
      throw new Error(`${table} had ${before} rows and would have ${after}: it was left where it was.`)
    await client.query('commit')
  } catch (error) {
    // A lost connection has rolled back by itself, and must not hide the cause.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Puts a table behind row security, in the form its place accepts, for the same roles as before. */
async function protect(client: pg.Client, table: string, onCluster: boolean): Promise<void> {
  await client.query(
    `select pillar_protect($1::regclass, 'location', array(
       select ('pillar_' || polname)::name from pg_policy where polrelid = $1::regclass and polname not in ('tenant', 'owner')), $2)`,
    [table, onCluster],
  )
}

async function protectShards(client: pg.Client, table: string): Promise<void> {
  for (const statement of ['enable row level security', 'force row level security'])
    await eachPlacement(client, table, `alter table %s ${statement}`)
  await eachPlacement(client, table, `alter policy tenant on %s using ${ON_SHARD} with check ${ON_SHARD}`)
}

async function troubleOfShards(client: pg.Client, table: string): Promise<string[]> {
  const answers = await eachPlacement(
    client,
    table,
    `select concat_ws(' ', relrowsecurity and relforcerowsecurity, (select pg_get_expr(polqual, polrelid) ~* 'select'
       from pg_policy where polrelid = c.oid and polname = 'tenant')) from pg_class c where oid = '%s'::regclass`,
  )
  const bare = answers.filter((one) => !one.startsWith('t'))
  const slow = answers.filter((one) => one === 't f')
  const trouble: string[] = []
  if (bare.length > 0) trouble.push(`${bare.length} shards of ${table} lack row security: do not serve from them.`)
  if (slow.length > 0)
    trouble.push(`${slow.length} shards of ${table} read the scope for each row: run "npm run distribute".`)
  return trouble
}

/** Runs a statement on every shard. @throws Error when one fails */
async function eachPlacement(client: pg.Client, table: string, statement: string): Promise<string[]> {
  const { rows } = await client.query<{ success: boolean; result: string }>(
    'select success, result from run_command_on_placements($1::regclass, $2)',
    [table, statement],
  )
  const failed = rows.find(({ success }) => !success)
  if (failed) throw new Error(`A shard of ${table} could not be reached: ${failed.result}`)
  return rows.map(({ result }) => result)
}

const seconds = (began: number) => `${((performance.now() - began) / 1000).toFixed(2)} s`
