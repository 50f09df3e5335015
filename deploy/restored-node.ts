import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdir, readFile, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { openClient } from '../apps/server/src/db/away.ts'

const run = promisify(execFile)

/** One PostgreSQL to restore, alone or as a node of a cluster. */
export interface NodeToRestore {
  /** pgBackRest's configuration file and the stanza in it. */
  config: string
  stanza: string
  /** A named restore point to stop at. Without it everything archived is replayed. */
  point?: string
  /** An empty folder for its data and its socket, which nobody else may reach. */
  folder: string
  /** Its port on 127.0.0.1. */
  port: number
  /** A role and a database of it, used to ask whether it answers. */
  user: string
  database: string
  /** Further settings of PostgreSQL. */
  settings?: readonly string[]
  /** Ends the restore early. */
  stop?: AbortSignal
}

/** A restored PostgreSQL that runs. */
export interface RestoredNode {
  /** The folder of its socket. Whoever may enter it can log in as any role. */
  socket: string
  /** Waits for the end of recovery. @throws Error when the server ends, or after an hour */
  answers: () => Promise<void>
  /** Runs a statement as `user` of {@link NodeToRestore}. @returns its rows */
  ask: <T>(text: string) => Promise<T[]>
  /** Runs statements as its superuser, one after the other. */
  admin: (statements: readonly [text: string, values: readonly unknown[]][]) => Promise<void>
  stop: () => Promise<void>
}

/** Whether a process has ended, by itself or by a signal. */
export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** The user `postgres` if this process is root, because PostgreSQL refuses to run as root; pgBackRest then runs as that user too. */
export async function postgresUser(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  )
  return uid && gid ? { uid, gid } : null
}

/** Where Debian's packages put the programs of each version. */
const PROGRAMS = '/usr/lib/postgresql'

/** The folder of the newest PostgreSQL up to version `newest` that Debian's packages installed here; null if there is none. */
export function postgresPrograms(newest = 99): string | null {
  const root = PROGRAMS
  if (!existsSync(root)) return null
  const versions = readdirSync(root)
    .map(Number)
    .filter((one) => one <= newest && existsSync(join(root, String(one), 'bin', 'postgres')))
  return versions.length > 0 ? join(root, String(Math.max(...versions)), 'bin') : null
}

/**
 * The folder of the programs that can read a data folder, which are only those of the same version.
 * @throws Error naming the package if that version is missing
 */
export async function programsFor(data: string, root = PROGRAMS): Promise<string> {
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()
  const programs = join(root, version, 'bin')
  if (existsSync(join(programs, 'postgres'))) return programs
  throw new Error(
    `The backup is one of PostgreSQL ${version}, which is not installed here (apt-get install postgresql-${version}).`,
  )
}

/** @returns a sentence for each stanza whose newest backup is too old, or that has none */
export async function oldBackups(config: string, stanzas: readonly string[], mostHours: number): Promise<string[]> {
  const ages = stanzas.map(async (stanza) => ({ stanza, hours: await hoursSinceBackup(config, stanza) }))
  return (await Promise.all(ages))
    .filter(({ hours }) => hours > mostHours)
    .map(({ stanza, hours }) => {
      const state = Number.isFinite(hours)
        ? `The newest backup of ${stanza} is ${Math.round(hours)} hours old`
        : `There is no backup of ${stanza} yet`
      return `${state}: run one by hand and read why it fails.`
    })
}

/** Hours since the newest backup of a stanza ended; Infinity without one. */
async function hoursSinceBackup(config: string, stanza: string): Promise<number> {
  const words = [`--config=${config}`, `--stanza=${stanza}`, '--output=json', 'info']
  const { stdout } = await run('pgbackrest', words, { ...(await postgresUser()), cwd: '/' })
  const [found] = JSON.parse(stdout) as { backup: { timestamp: { stop: number } }[] }[]
  const ended = Math.max(...(found?.backup ?? []).map(({ timestamp }) => timestamp.stop))
  return (Date.now() / 1000 - ended) / 3600
}

/**
 * Restores one server from its backup and starts it with its own settings.
 * It archives nothing, because the repository belongs to the running server.
 */
export async function restoreNode(node: NodeToRestore): Promise<RestoredNode> {
  const { config, stanza, point, folder, port } = node
  const as = await postgresUser()
  if (!postgresPrograms())
    throw new Error('Install PostgreSQL of the version of the backup (apt-get install postgresql).')
  const [data, socket] = [join(folder, 'data'), join(folder, 'socket')]
  for (const made of [data, socket]) {
    await mkdir(made, { mode: 0o700 })
    if (as) await chown(made, as.uid, as.gid)
  }
  const until = point ? ['--type=name', `--target=${point}`, '--target-action=promote'] : []
  const where = [`--config=${config}`, `--stanza=${stanza}`, `--pg1-path=${data}`]
  await run('pgbackrest', [...where, ...until, '--archive-mode=off', '--log-level-console=warn', 'restore'], {
    ...as,
    cwd: '/',
    ...(node.stop ? { signal: node.stop } : {}),
  }).catch(async ({ message }: Error) => {
    // pgBackRest does not say that the disk is full.
    const { bavail, bsize } = await statfs(folder)
    const free = Math.round((bavail * bsize) / 1024 ** 2)
    throw new Error(`${message.trim()}\n${free} MB are free in ${folder}: TMPDIR needs room for the whole database.`)
  })
  const programs = await programsFor(data)
  const settings = [
    ...[`port = ${port}`, "listen_addresses = '127.0.0.1'", `unix_socket_directories = '${socket}'`],
    ...['archive_mode = off', 'hot_standby = off', 'max_connections = 200', 'shared_buffers = 128MB'],
    ...[`hba_file = '${join(folder, 'drill.hba')}'`, "timezone = 'UTC'", ...(node.settings ?? [])],
  ]
  await writeFile(join(folder, 'drill.conf'), `${settings.join('\n')}\n`)
  await writeFile(join(folder, 'drill.hba'), 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n')
  if (as) for (const name of ['drill.conf', 'drill.hba']) await chown(join(folder, name), as.uid, as.gid)
  const args = ['-D', data, '-c', `config_file=${join(folder, 'drill.conf')}`]
  const server = spawn(join(programs, 'postgres'), args, { ...as, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  server.stderr?.on('data', (part: Buffer) => {
    log = (log + part.toString()).slice(-LOG_CHARACTERS)
  })
  const here = { host: socket, port, database: node.database }
  return {
    socket,
    answers: () => answers({ ...here, user: node.user }, server, stanza, () => log),
    ask: (text) => ask({ ...here, user: node.user }, [[text, []]]),
    async admin(statements) {
      const [row] = await ask<{ name: string }>({ ...here, user: node.user }, [
        ['select rolname as name from pg_roles where rolsuper and rolcanlogin order by oid limit 1', []],
      ])
      if (!row) throw new Error(`The restored server of ${stanza} has no superuser who may log in.`)
      await ask({ ...here, user: row.name }, statements)
    },
    async stop() {
      if (hasEnded(server)) return
      const gone = new Promise((done) => server.once('exit', done))
      server.kill('SIGINT')
      await gone
    },
  }
}

/** @returns the rows of the last statement */
async function ask<T>(
  login: pg.ClientConfig,
  statements: readonly [text: string, values: readonly unknown[]][],
): Promise<T[]> {
  const client = await openClient(login)
  try {
    let rows: T[] = []
    for (const [text, values] of statements) rows = (await client.query(text, [...values])).rows as T[]
    return rows
  } finally {
    await client.end()
  }
}

/** How much is kept of the end of its log. It is kept because the folder is gone by the time somebody reads why the server ended. */
const LOG_CHARACTERS = 8_000

async function answers(login: pg.ClientConfig, server: ChildProcess, stanza: string, log: () => string): Promise<void> {
  for (let tried = 0; tried < 36_000; tried++) {
    if (hasEnded(server)) {
      const last =
        log()
          .match(/(?:FATAL|PANIC|HINT): .*/g)
          ?.join('\n') ?? 'It did not say why.'
      throw new Error(`The restored PostgreSQL of ${stanza} ended.\n${last}`)
    }
    const [row] = await ask<{ busy: boolean }>(login, [['select pg_is_in_recovery() as busy', []]]).catch(() => [])
    if (row && !row.busy) return
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`The restored PostgreSQL of ${stanza} did not come up within an hour.`)
}
