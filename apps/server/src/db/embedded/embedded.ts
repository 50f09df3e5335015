import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { makePrivate, socketFolder, takeFolder } from './data-folder.ts'
import {
  createCluster,
  DATABASE,
  isCluster,
  newPasswords,
  OWNER,
  type Passwords,
  reviseCluster,
  SERVER,
  writeAccess,
} from './postgres-cluster.ts'
import { findProgram } from './postgres-program.ts'
import { runningPid, runPostmaster, stopLeftOver } from './postmaster.ts'

export interface EmbeddedDatabase {
  /** For serving: a login that may do nothing but take Pillar's roles. */
  url: string
  /** For migrations and administrative work. Not a superuser either. */
  ownerUrl: string
  /** Null while it runs; otherwise a sentence about its trouble. */
  trouble: () => string | null
  stop: () => Promise<void>
}

/** Settings for one machine that is also the web server: modest memory, fast commits, no replication. */
const SETTINGS = {
  shared_buffers: '384MB',
  work_mem: '64MB',
  maintenance_work_mem: '128MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  max_connections: '60',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  password_encryption: 'scram-sha-256',
  unix_socket_permissions: '0700',
  // Statements contain what people typed.
  log_min_error_statement: 'panic',
} as const

/** On Windows, Node cannot reach PostgreSQL's local socket, so PostgreSQL listens on 127.0.0.1. */
const BY_SOCKET = process.platform !== 'win32'

/** How to reach the running database: DATA_DIR/postgres.json, readable only by its owner. */
interface Access extends Passwords {
  /** Folder of the socket; null if it listens on 127.0.0.1. */
  socket: string | null
  port: number
}

/**
 * Starts the PostgreSQL that ships with Pillar, creating its cluster in `dir` the first time, and watches it from then on; calls `tell`
 * when it stops and starts again. First stops a cluster left running by a killed process, so that a restart always works. Secures a cluster
 * of an earlier version, whose superuser had a known password, before anything listens.
 * @param more PostgreSQL settings beyond the usual ones, for tests
 * @throws Error that says what to do
 */
export async function startEmbedded(
  dir: string,
  tell: (event: string) => void,
  more: Readonly<Record<string, string>> = {},
): Promise<EmbeddedDatabase> {
  const program = await findProgram()
  const folder = await makePrivate(dir, program.as)
  const leave = await takeFolder(folder)
  const cluster = join(folder, 'postgres')
  const known = await readAccess(folder)
  const passwords = known ?? newPasswords()
  if (isCluster(cluster)) {
    await stopLeftOver(cluster)
    if (!known) await reviseCluster(program, cluster, passwords)
  } else {
    await createCluster(program, cluster, passwords)
  }
  await writeAccess(program, cluster, BY_SOCKET)
  const socket = BY_SOCKET ? await socketFolder(folder, program.as, known?.socket ?? null) : null
  const access: Access = { ...passwords, socket, port: socket ? 5432 : await freePort() }
  await keepAccess(folder, access)
  const listen = socket
    ? { listen_addresses: '', unix_socket_directories: `"${socket.replaceAll('"', '""')}"` }
    : { listen_addresses: '127.0.0.1', unix_socket_directories: '' }
  const settings = Object.entries({ ...SETTINGS, ...more, ...listen, port: access.port })
  const args = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const postmaster = await runPostmaster(program, cluster, args, tell)
  return {
    url: urlOf(access, SERVER, access.server),
    ownerUrl: urlOf(access, OWNER, access.owner),
    trouble: postmaster.trouble,
    async stop() {
      await postmaster.stop()
      if (socket) await rm(socket, { recursive: true, force: true })
      await leave()
    },
  }
}

/** The address of the running embedded database in `dir`, for the command-line tools; null if none is running. */
export async function runningEmbedded(dir: string, as: 'server' | 'owner' = 'server'): Promise<string | null> {
  const access = await readAccess(resolve(dir))
  if (!access || (await runningPid(join(resolve(dir), 'postgres'))) === null) return null
  return as === 'owner' ? urlOf(access, OWNER, access.owner) : urlOf(access, SERVER, access.server)
}

/** libpq's spelling, which every PostgreSQL tool reads; the host in front only makes it a URL and is not used. */
function urlOf({ socket, port }: Access, user: string, password: string): string {
  const url = `postgres://${user}:${password}@127.0.0.1:${port}/${DATABASE}`
  return socket ? `${url}?host=${encodeURIComponent(socket)}` : url
}

const accessFile = (folder: string) => join(folder, 'postgres.json')

async function readAccess(folder: string): Promise<Access | null> {
  const text = await readFile(accessFile(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new Error(`${accessFile(folder)} cannot be read (${error.code}): be the user Pillar runs as.`)
  })
  try {
    const { owner, server, socket, port } = JSON.parse(text) as Access
    return owner && server ? { owner, server, socket, port } : null
  } catch {
    return null
  }
}

/** Written whole or not at all. A cluster without this file gets new passwords at the next start. */
async function keepAccess(folder: string, access: Access): Promise<void> {
  const made = `${accessFile(folder)}.new`
  await rm(made, { force: true })
  await writeFile(made, JSON.stringify(access), { mode: 0o600, flag: 'wx' })
  await rename(made, accessFile(folder))
  // File of the version before.
  await rm(join(folder, 'postgres.port'), { force: true })
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer()
    probe.once('error', failed)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => done(port))
    })
  })
}
