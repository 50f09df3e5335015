import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)
const cli = (name: string) => join(import.meta.dirname, '..', 'apps', 'server', 'src', 'cli', `${name}.ts`)
const SERVER = join(import.meta.dirname, '..', 'apps', 'server', 'src', 'main.ts')

/** What a drill works with. */
export interface Drill {
  /** pgBackRest's configuration file and the stanza in it. */
  config: string
  stanza: string
  /** How Pillar's serving login and the owner reach the database; host and port become the restored one's. */
  url: string
  ownerUrl: string
  /** Where the restored server listens, on 127.0.0.1. */
  port: number
  /** The folder of Pillar's secret, anchors and erasure ledger. */
  dataDir: string
  /** `name:password` of somebody who signs in without a second factor; left out, signing in is not tried. */
  signIn?: string
  say: (line: string) => void
  /** Looks at the restored database as its owner before Pillar is started on it. */
  look?: (ownerUrl: string) => Promise<void>
}

/** What a drill found. */
export interface DrillResult {
  /** Seconds from the empty folder until the database answered, and until Pillar had been checked on it. */
  restoreSeconds: number
  totalSeconds: number
  /** Rows of each table that were there. */
  counts: Map<string, number>
  failures: string[]
}

/** PostgreSQL refuses to run as root: then it and pgBackRest run as the user `postgres`. */
export async function postgresUser(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  )
  return uid && gid ? { uid, gid } : null
}

/** The folder of the newest PostgreSQL up to `newest` that Debian's packages put here; null without one. */
export function postgresPrograms(newest = 99): string | null {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return null
  const versions = readdirSync(root)
    .map(Number)
    .filter((one) => one <= newest && existsSync(join(root, String(one), 'bin', 'postgres')))
  return versions.length > 0 ? join(root, String(Math.max(...versions)), 'bin') : null
}

/** Restores the newest backup and all archived WAL into an empty folder, starts it beside what runs, checks Pillar on it, and removes it. */
export async function drill(asked: Drill): Promise<DrillResult> {
  const { config, stanza, port, say } = asked
  const as = await postgresUser()
  const programs = postgresPrograms()
  if (!programs) throw new Error('Install PostgreSQL of the version of the backup (apt-get install postgresql).')
  const folder = await mkdtemp(join(tmpdir(), 'pillar-restore-'))
  if (as) await chown(folder, as.uid, as.gid)
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 100) / 10
  let server: ChildProcess | null = null
  try {
    const where = [`--config=${config}`, `--stanza=${stanza}`, `--pg1-path=${folder}`]
    await run('pgbackrest', [...where, '--archive-mode=off', '--log-level-console=warn', 'restore'], {
      ...as,
      cwd: '/',
    })
    say(`Restored into an empty folder after ${seconds()} s.`)
    server = await startRestored(programs, folder, port, as)
    const [url, ownerUrl] = [restoredUrl(asked.url, port), restoredUrl(asked.ownerUrl, port)]
    await answers(url, server)
    const restoreSeconds = seconds()
    say(`The database answers after ${restoreSeconds} s.`)
    const counts = await countRows(ownerUrl)
    say(`${[...counts.values()].reduce((sum, one) => sum + one, 0)} rows in ${counts.size} tables.`)
    await asked.look?.(ownerUrl)
    const failures = await check(asked, url)
    return { restoreSeconds, totalSeconds: seconds(), counts, failures }
  } finally {
    if (server && server.exitCode === null) {
      server.kill('SIGINT')
      await new Promise((done) => server?.once('exit', done))
    }
    await rm(folder, { recursive: true, force: true })
  }
}

function restoredUrl(given: string, port: number): string {
  const url = new URL(given)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  url.search = ''
  return url.href
}

/** Its own settings, whatever those of the host were that is gone. It archives nothing: the repository belongs to the one that runs. */
async function startRestored(
  programs: string,
  folder: string,
  port: number,
  as: { uid: number; gid: number } | null,
): Promise<ChildProcess> {
  const settings = [
    ...[`port = ${port}`, "listen_addresses = '127.0.0.1'", `unix_socket_directories = '${folder}'`],
    ...['archive_mode = off', 'hot_standby = off', 'max_connections = 200', 'shared_buffers = 128MB'],
    ...[`hba_file = '${join(folder, 'drill.hba')}'`, "timezone = 'UTC'"],
  ]
  await writeFile(join(folder, 'drill.conf'), `${settings.join('\n')}\n`)
  await writeFile(join(folder, 'drill.hba'), 'local all all peer\nhost all all 127.0.0.1/32 scram-sha-256\n')
  if (as) for (const name of ['drill.conf', 'drill.hba']) await chown(join(folder, name), as.uid, as.gid)
  const args = ['-D', folder, '-c', `config_file=${join(folder, 'drill.conf')}`]
  return spawn(join(programs, 'postgres'), args, { ...as, cwd: '/', stdio: 'ignore' })
}

/** Waits for the end of recovery. @throws Error when the server ends, or after an hour */
async function answers(url: string, server: ChildProcess): Promise<void> {
  for (let tried = 0; tried < 36_000; tried++) {
    if (server.exitCode !== null) throw new Error('The restored PostgreSQL ended: look at the log in its folder.')
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      const { rows } = await client.query<{ busy: boolean }>('select pg_is_in_recovery() as busy')
      if (!rows[0]?.busy) return
    } catch {
      // Not yet.
    } finally {
      await client.end().catch(() => {})
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error('The restored PostgreSQL did not come up within an hour.')
}

/** Rows of every table. @param url the owner's, who sees the rows of every company */
export async function countRows(url: string): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
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

/** Pillar's own checks on the restored database. @returns a sentence for each that failed */
async function check({ dataDir, signIn, port, say }: Drill, url: string): Promise<string[]> {
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir }
  const failures: string[] = []
  for (const name of ['re-erase', 'verify-audit', 'verify-register']) {
    const done = await run(process.execPath, [cli(name)], { env }).catch(
      (error: { stdout: string; stderr: string }) => {
        failures.push(`${name}: ${error.stdout}${error.stderr}`.trim())
        return error
      },
    )
    say(`${name}: ${done.stdout.trim()}`)
  }
  const web = {
    ...env,
    ROLE: 'web',
    MIGRATE: 'off',
    DEMO: 'none',
    PORT: String(port + 1),
    SECOND_FACTOR: 'optional',
    PUBLIC_URL: '',
  }
  const pillar = spawn(process.execPath, [SERVER], { env: web, stdio: 'ignore' })
  const address = `http://127.0.0.1:${port + 1}`
  try {
    const ready = await eventually(async () => (await fetch(`${address}/readyz`)).status === 200)
    say(ready ? 'Pillar serves from it.' : 'PILLAR DOES NOT SERVE FROM IT.')
    if (!ready) failures.push('Pillar does not serve from the restored database.')
    else if (signIn) {
      const at = signIn.indexOf(':')
      const body = JSON.stringify({ name: signIn.slice(0, at), password: signIn.slice(at + 1) })
      const headers = { 'content-type': 'application/json' }
      const { status } = await fetch(`${address}/api/enterprise-login`, { method: 'POST', headers, body })
      say(status === 200 ? 'Signing in works.' : `SIGNING IN FAILED (${status}).`)
      if (status !== 200) failures.push(`Signing in was answered with ${status}.`)
    }
  } finally {
    pillar.kill('SIGTERM')
    if (pillar.exitCode === null) await new Promise((done) => pillar.once('exit', done))
  }
  return failures
}

async function eventually(look: () => Promise<boolean>): Promise<boolean> {
  for (let tried = 0; tried < 300; tried++) {
    if (await look().catch(() => false)) return true
    await new Promise((done) => setTimeout(done, 200))
  }
  return false
}

const USAGE = `npm run restore-drill -- --config /etc/pgbackrest/pgbackrest.conf --stanza pillar [--port 5499]
Restores the newest backup into an empty folder of this machine, checks Pillar on it, and removes it. DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR and SECRET are those of
Pillar; DRILL_SIGN_IN=name:password also signs in. Needs room for the whole database in TMPDIR, and the ports --port and the one after.`

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { config: text, stanza: text, port: text } })
  const {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl = url,
    DATA_DIR: dataDir = './data',
    DRILL_SIGN_IN: signIn,
  } = process.env
  if (!values.config || !values.stanza || !url || !ownerUrl) throw new Error(USAGE)
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const asked = {
    config: values.config,
    stanza: values.stanza,
    port: Number(values.port ?? 5499),
    url,
    ownerUrl,
    dataDir,
    say,
  }
  const { failures, totalSeconds } = await drill({ ...asked, ...(signIn ? { signIn } : {}) })
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
