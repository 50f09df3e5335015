import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findProgram, type PostgresProgram, runToEnd } from '../../apps/server/src/db/embedded/postgres-program.ts'
import { type Postmaster, runPostmaster } from '../../apps/server/src/db/embedded/postmaster.ts'

/** A coordinator and two workers on this machine, from installed programs. */
export interface Cluster {
  /** The superuser's connection to the coordinator, whose database knows the workers. */
  url: string
  workers: readonly ClusterWorker[]
  close: () => Promise<void>
}

/** A worker that can be crashed. */
export interface ClusterWorker {
  port: number
  stop: () => Promise<void>
  start: () => Promise<void>
  /** Kills it without warning; it comes back by itself. */
  crash: () => void
}

/** The coordinator's port; its workers use the next two. */
const PORT = 8610
const portsFrom = (first: number) => [first, first + 1, first + 2] as const
const DEBIAN = '/usr/lib/postgresql'

/** The message if Citus is not installed. */
export const NO_CITUS =
  'Citus is not installed: put PostgreSQL 15, 16 or 17 with Citus 13 or later on this machine (Debian’s folders, or the folder of its programs in PG_BIN), or set CITUS_URL to a coordinator.'

/** The programs of a PostgreSQL with Citus: those in PG_BIN, otherwise the newest in Debian's folders; null if there is none. */
export async function findCitus(): Promise<PostgresProgram | null> {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [process.env.PG_BIN, ...versions.map((one) => join(DEBIAN, one, 'bin'))]
  const bin = folders.find((folder) => folder && hasCitus(folder))
  if (!bin) return null
  const { as } = await findProgram()
  return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb'), as }
}

function hasCitus(bin: string): boolean {
  try {
    const libraries = execFileSync(join(bin, 'pg_config'), ['--pkglibdir'], { encoding: 'utf8' }).trim()
    return existsSync(join(libraries, 'citus.so'))
  } catch {
    return existsSync(join(bin, '..', 'lib', 'citus.so'))
  }
}

/** Starts the three, trusting every connection from this machine: they may hold only data of tests and benches. */
export async function startCluster(
  program: PostgresProgram,
  settings: Record<string, string> = {},
  first = PORT,
): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'pillar-cluster-'))
  const own = (path: string) => program.as && chownSync(path, program.as.uid, program.as.gid)
  own(folder)
  const running = new Map<number, Postmaster>()
  const start = async (port: number) => {
    running.set(port, await runNode(program, join(folder, String(port)), port, settings))
  }
  const close = async () => {
    for (const node of running.values()) await node.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    for (const port of portsFrom(first)) {
      await makeNode(program, join(folder, String(port)), own)
      await start(port)
    }
    await joinCluster(urlOf(first), 'postgres')
    const [, ...workers] = portsFrom(first)
    const each = workers.map((port) => ({
      port,
      stop: () => running.get(port)!.stop(),
      start: () => start(port),
      crash() {
        const [pid] = readFileSync(join(folder, String(port), 'postmaster.pid'), 'utf8').split('\n')
        process.kill(Number(pid), 'SIGKILL')
      },
    }))
    return { url: urlOf(first), workers: each, close }
  } catch (error) {
    await close()
    throw error
  }
}

const portOf = (url: string) => Number(new URL(url).port)
const urlOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`

const socketsOf = (dir: string) => `${dir}.socket`

async function makeNode(program: PostgresProgram, dir: string, own: (path: string) => unknown): Promise<void> {
  const sockets = socketsOf(dir)
  mkdirSync(sockets)
  own(sockets)
  const { initdb } = program
  await runToEnd(program, initdb, [
    `--pgdata=${dir}`,
    ...['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
  ])
}

function runNode(
  program: PostgresProgram,
  dir: string,
  port: number,
  settings: Record<string, string>,
): Promise<Postmaster> {
  const all = {
    ...{ port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: socketsOf(dir) },
    ...{ shared_preload_libraries: 'citus', 'citus.node_conninfo': 'sslmode=disable' },
    ...{ max_connections: '300', max_prepared_transactions: '300', max_worker_processes: '128' },
    // All nodes share one machine: many shards, which no other processor could read, and connections for them would only cost.
    ...{ 'citus.shard_count': '4', 'citus.max_cached_conns_per_worker': '1' },
    ...{ timezone: 'UTC', jit: 'off', fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
    ...settings,
  }
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return runPostmaster(program, dir, args, () => {})
}

/** Joins one database on every node into one database of the cluster. @param url the superuser's, of the coordinator started here */
export async function joinCluster(url: string, database: string): Promise<void> {
  await eachNode(url, database, ['create extension citus'])
  const [coordinator, ...workers] = portsFrom(portOf(url))
  const added = workers.map((port) => `select citus_add_node('127.0.0.1', ${port})`)
  await ask(inDatabase(url, database), [`select citus_set_coordinator_host('127.0.0.1', ${coordinator})`, ...added])
}

/** Runs statements one after the other in one database of each node. */
export async function eachNode(url: string, database: string, statements: readonly string[]): Promise<void> {
  for (const port of portsFrom(portOf(url))) {
    const node = new URL(inDatabase(url, database))
    node.port = String(port)
    await ask(node.href, statements)
  }
}

function inDatabase(url: string, database: string): string {
  const one = new URL(url)
  one.pathname = `/${database}`
  return one.href
}

async function ask(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
