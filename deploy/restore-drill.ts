import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { outliveReader } from '../apps/server/src/api/ending.ts'
import { openClient } from '../apps/server/src/db/away.ts'
import { readEnv } from '../apps/server/src/env.ts'
import { type Checks, check } from './drill-checks.ts'
import { oldBackups, postgresUser, type RestoredNode, restoreNode } from './restored-node.ts'

/** How to run a drill. */
export interface Drill extends Checks {
  /** pgBackRest's configuration file and the stanza in it. */
  config: string
  stanza: string
  /** Addresses of the database with Pillar's serving login and with its owner; the host and port are replaced by the restored one's. */
  url: string
  ownerUrl: string
  /** The port of the restored server on 127.0.0.1. Pillar has the next one, and the workers those after it. */
  port: number
  /** How many minutes old the newest restored write may be; 15 by default. */
  maxAge?: number
  /** How many hours ago the newest backup of a node may have ended; 36 by default. */
  maxBackupAge?: number
  /** A named restore point at which all nodes of a cluster stop. Without it everything archived is replayed. */
  point?: string
  /** The workers of a cluster, as its coordinator knows them, and their stanzas. */
  workers?: readonly Worker[]
  /** Called with the address of the restored database, as its owner, before Pillar is started on it. */
  look?: (ownerUrl: string) => Promise<void>
}

export interface Worker {
  host: string
  port: number
  stanza: string
}

/** What a drill found. */
export interface DrillResult {
  /** Seconds from the empty folder until the database answered, and until Pillar was checked on it. */
  restoreSeconds: number
  totalSeconds: number
  /** The rows of each table. */
  counts: Map<string, number>
  failures: string[]
}

/**
 * Restores the newest backup and all archived WAL into an empty folder, starts it beside what runs, checks Pillar on it, and removes it. In a
 * cluster it restores every node, up to one restore point.
 */
export async function drill(asked: Drill): Promise<DrillResult> {
  const { port, say, workers = [] } = asked
  const as = await postgresUser()
  const folder = await mkdtemp(join(tmpdir(), 'pillar-restore-'))
  if (as) await chown(folder, as.uid, as.gid)
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 100) / 10
  const nodes: RestoredNode[] = []
  // Whatever waits for a server then fails at once.
  asked.stop?.addEventListener('abort', () => nodes.forEach((node) => void node.stop()))
  try {
    const owner = new URL(asked.ownerUrl)
    const login = { user: decodeURIComponent(owner.username), database: owner.pathname.slice(1) }
    const settings = workers.length > 0 ? CLUSTER : []
    for (const [at, { stanza }] of [{ stanza: asked.stanza }, ...workers].entries()) {
      const own = join(folder, String(at))
      await mkdir(own, { mode: 0o700 })
      if (as) await chown(own, as.uid, as.gid)
      const { config, point, stop } = asked
      const where = { config, stanza, folder: own, port: portOf(port, at), settings, ...login }
      nodes.push(await restoreNode({ ...where, ...(point ? { point } : {}), ...(stop ? { stop } : {}) }))
      say(`Restored ${stanza} into an empty folder after ${seconds()} s.`)
    }
    for (const node of nodes) await node.answers()
    if (workers.length > 0) await joinNodes(nodes, workers, port)
    const restoreSeconds = seconds()
    say(`The database answers after ${restoreSeconds} s.`)
    const [url, ownerUrl] = [restoredUrl(asked.url, port), restoredUrl(asked.ownerUrl, port)]
    const counts = await countRows(ownerUrl)
    say(`${[...counts.values()].reduce((sum, one) => sum + one, 0)} rows in ${counts.size} tables.`)
    const sorted = await sortedOtherwise(nodes[0]!)
    if (sorted) say(sorted)
    await asked.look?.(ownerUrl)
    const failures = [
      ...(await tooOld(nodes[0]!, asked)),
      ...(await check(asked, { folder, url, ownerUrl, onCluster: asked.workers !== undefined })),
    ]
    asked.stop?.throwIfAborted()
    return { restoreSeconds, totalSeconds: seconds(), counts, failures }
  } catch (error) {
    throw asked.stop?.aborted ? asked.stop.reason : error
  } finally {
    // The coordinator first, because it asks the others.
    for (const node of nodes) await node.stop()
    // pgBackRest may still be writing for a moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

/**
 * Further settings of a node of a cluster. It still has the addresses of the running nodes, so it must do nothing by itself: it would end
 * transactions that those have prepared.
 */
const CLUSTER = [
  ...["shared_preload_libraries = 'citus'", 'max_prepared_transactions = 200', 'citus.recover_2pc_interval = -1'],
  ...['citus.distributed_deadlock_detection_factor = -1', 'citus.defer_shard_delete_interval = -1'],
  'citus.background_task_queue_interval = -1',
]

const PORT = 5499
/** The port is below it, because Pillar has the next one. */
const MOST_PORT = 65_535
/** How many minutes old the newest restored write may be. */
const MOST_AGE = 15
/** How many hours old the newest backup may be: one is made each night, and 12 hours are added. */
const MOST_BACKUP_AGE = 36

/** Checks that every node's newest backup and the newest write are recent. @returns a sentence for each that is not */
async function tooOld(node: RestoredNode, asked: Drill): Promise<string[]> {
  const { config, workers = [], maxAge = MOST_AGE, maxBackupAge = MOST_BACKUP_AGE } = asked
  const stanzas = [asked.stanza, ...workers.map(({ stanza }) => stanza)]
  return [...(await oldBackups(config, stanzas, maxBackupAge)), ...(await writesTooOld(node, maxAge))]
}

async function writesTooOld(node: RestoredNode, mostMinutes: number): Promise<string[]> {
  const [row] = await node.ask<{ minutes: number | null }>(
    'select (extract(epoch from now() - pg_last_xact_replay_timestamp()) / 60)::float8 as minutes',
  )
  const minutes = row?.minutes ?? null
  if (minutes === null) return ['Nothing was replayed after the backup: the log is not archived.']
  return minutes > mostMinutes
    ? [`The newest write that came back is ${Math.round(minutes)} minutes old: look at what archives the log.`]
    : []
}

/** Whether indexes over text have to be built anew after a restore on this machine. @returns a sentence that says so, or null */
async function sortedOtherwise(node: RestoredNode): Promise<string | null> {
  const [row] = await node.ask<{ built: string; now: string }>(`
    select datcollversion as built, pg_database_collation_actual_version(oid) as now from pg_database
    where datname = current_database() and datcollversion <> pg_database_collation_actual_version(oid)`)
  return row
    ? `This machine sorts text by other rules (${row.now}) than the server that was backed up (${row.built}): after a restore here rebuild the indexes first, as docs/alerts.md says under PillarCollationChanged.`
    : null
}

const portOf = (first: number, at: number): number => (at === 0 ? first : first + 1 + at)

/**
 * Tells the restored coordinator where the restored nodes are, by sockets that nobody else may reach, and ends what was half committed at
 * the restore point, the same way on every node.
 */
async function joinNodes(nodes: readonly RestoredNode[], workers: readonly Worker[], port: number): Promise<void> {
  const [coordinator, ...others] = nodes as [RestoredNode, ...RestoredNode[]]
  const move = 'select citus_update_node(nodeid, $1, $2) from pg_dist_node where'
  await coordinator.admin([
    ['begin', []],
    [`${move} groupid = 0`, [coordinator.socket, port]],
    ...workers.map((one, at): [string, unknown[]] => [
      `${move} nodename = $3 and nodeport = $4`,
      [others[at]!.socket, portOf(port, at + 1), one.host, one.port],
    ]),
    ['commit', []],
    ['select recover_prepared_transactions()', []],
  ])
}

function restoredUrl(given: string, port: number): string {
  const url = new URL(given)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  url.search = ''
  return url.href
}

/** Counts the rows of every table. @param url with the owner's login, who sees the rows of every company */
export async function countRows(url: string): Promise<Map<string, number>> {
  const client = await openClient({ connectionString: url })
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss') order by 1`,
    )
    const counts = new Map<string, number>()
    for (const { name } of tables) {
      const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${name}`)
      counts.set(name, rows[0]?.n ?? 0)
    }
    return counts
  } finally {
    await client.end()
  }
}

const USAGE = `npm run restore-drill -- --config /etc/pgbackrest/pgbackrest.conf --stanza pillar [--port 5499] [--max-age 15] [--max-backup-age 36]
  for a cluster also: --point NAME, and --worker HOST:PORT=STANZA for each worker as select nodename, nodeport from pg_dist_node names it
Restores the newest backup into an empty folder of this machine, checks Pillar on it, and removes it. DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR and SECRET are those of
Pillar; DRILL_SIGN_IN=name:password also signs in. TMPDIR needs room for the whole database; --port and the next port must be free, and one more for each worker.`

function workerOf(word: string): Worker {
  const [, host, port, stanza] = /^(.+):(\d+)=(.+)$/.exec(word) ?? []
  if (!host || !port || !stanza) throw new Error(`--worker is HOST:PORT=STANZA, not "${word}".\n${USAGE}`)
  return { host, port: Number(port), stanza }
}

async function main(): Promise<void> {
  // It removes what it restored even if nobody reads its output any more.
  outliveReader()
  if (process.argv.includes('--help')) return void process.stdout.write(`${USAGE}\n`)
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      ...{ config: text, stanza: text, port: text, point: text, 'max-age': text, 'max-backup-age': text },
      worker: { ...text, multiple: true },
    },
  })
  const workers = (values.worker ?? []).map(workerOf)
  if (workers.length > 0 && !values.point)
    throw new Error(`Say where all nodes stop: --point with the name of a restore point.\n${USAGE}`)
  const { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl = url, DATA_DIR: dataDir } = readEnv(process.env)
  const signIn = process.env.DRILL_SIGN_IN
  if (!values.config || !values.stanza || !url || !ownerUrl) throw new Error(USAGE)
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const { config, stanza, point } = values
  const port = Number(values.port ?? PORT)
  if (!Number.isInteger(port) || port < 1 || port >= MOST_PORT)
    throw new Error(`--port is a number below ${MOST_PORT}, not "${values.port}".\n${USAGE}`)
  const asked = { config, stanza, port, url, ownerUrl, dataDir, say }
  const maxAge = Number(values['max-age'] ?? MOST_AGE)
  if (!(maxAge > 0)) throw new Error(`--max-age is minutes, not "${values['max-age']}".\n${USAGE}`)
  const maxBackupAge = Number(values['max-backup-age'] ?? MOST_BACKUP_AGE)
  if (!(maxBackupAge > 0)) throw new Error(`--max-backup-age is hours, not "${values['max-backup-age']}".\n${USAGE}`)
  const cluster = workers.length > 0 ? { workers } : {}
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stop.abort(new Error(`The drill was ended by ${signal}. What it restored is removed.`)))
  const { failures, totalSeconds } = await drill({
    ...{ ...asked, ...cluster },
    ...(point ? { point } : {}),
    ...{ maxAge, maxBackupAge, stop: stop.signal },
    ...(signIn ? { signIn } : {}),
  })
  say(
    failures.length === 0
      ? `The backup can be relied on: ${totalSeconds} s in all.`
      : `THE DRILL FAILED after ${totalSeconds} s.`,
  )
  for (const failure of failures) say(failure)
  if (failures.length > 0) process.exitCode = 1
}

if (import.meta.main)
  await main().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  })
