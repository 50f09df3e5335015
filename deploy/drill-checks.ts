import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasEnded } from './restored-node.ts'

const run = promisify(execFile)
const cli = (name: string) => join(import.meta.dirname, '..', 'apps', 'server', 'src', 'cli', `${name}.ts`)
const SERVER = join(import.meta.dirname, '..', 'apps', 'server', 'src', 'main.ts')

/** How to check Pillar on a restored database. */
export interface Checks {
  /** Pillar listens on the port after this one, on 127.0.0.1. */
  port: number
  /** The folder of Pillar's secret, anchors and erasure ledger. The checks use a copy, so that it stays as it is. */
  dataDir: string
  /** `name:password` of somebody who signs in without a second factor; without it signing in is not tried. */
  signIn?: string
  say: (line: string) => void
  /** Ends the drill early. What it restored is removed even then. */
  stop?: AbortSignal
}

/** What of DATA_DIR the checks need. Not uploads, because doing an erasure again would remove files that the running Pillar needs. */
const NEEDED = ['secret', 'keys', 'audit', 's8', 's8-evidence', 'erasure']

/** Copies what the checks need of DATA_DIR, as far as it is there, into `folder`. */
async function copyOf(dataDir: string, folder: string): Promise<string> {
  const copy = join(folder, 'data-dir')
  await mkdir(copy, { mode: 0o700 })
  for (const name of NEEDED)
    await cp(join(dataDir, name), join(copy, name), { recursive: true, dereference: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      },
    )
  return copy
}

/** The settings of this process with `others` instead of its own, even where its own are given as files. */
function settingsWith(others: Record<string, string>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !Object.hasOwn(others, name.replace(/_FILE$/, '')))
  return { ...Object.fromEntries(kept), ...others }
}

/**
 * Runs Pillar's own checks on the restored database.
 * `folder` is where a copy of DATA_DIR may be put.
 * @returns a sentence for each that failed
 */
export async function check(
  asked: Checks,
  { folder, url, ownerUrl, onCluster }: { folder: string; url: string; ownerUrl: string; onCluster: boolean },
): Promise<string[]> {
  const { say, stop } = asked
  const settings = {
    ...{ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, DATA_DIR: await copyOf(asked.dataDir, folder) },
    FILES: 'folder',
  }
  const failures: string[] = []
  const commands = [
    ['re-erase'],
    ['keys', 'verify'],
    ['verify-audit', '--anchored'],
    ['verify-register', '--anchored'],
    ...(onCluster ? [['distribute', '--check']] : []),
  ]
  for (const [name, ...words] of commands as [string, ...string[]][]) {
    const how = { env: settingsWith(settings), ...(stop ? { signal: stop } : {}) }
    const done = await run(process.execPath, [cli(name), ...words], how).catch(
      (error: { stdout: string; stderr: string }) => {
        failures.push(`${name}: ${error.stdout}${error.stderr}`.trim())
        return error
      },
    )
    say(`${name}: ${done.stdout.trim()}`)
  }
  return [...failures, ...(await serve(asked, settings))]
}

/** The settings of a Pillar that serves the restored database: those of this process, but nobody is reached and nobody can reach it. */
export function servingSettings(settings: Record<string, string>, port: number): NodeJS.ProcessEnv {
  return settingsWith({
    ...settings,
    ROLE: 'web',
    MIGRATE: 'off',
    DEMO: 'none',
    PORT: String(port + 1),
    SECOND_FACTOR: 'optional',
    PUBLIC_URL: '',
    HOST: '127.0.0.1',
    // A real gateway requires PUBLIC_URL.
    SMS_GATEWAY: 'simulator',
    SMTP_URL: '',
    DATABASE_REPLICA_URL: '',
    SENTRY_DSN: '',
    OTEL_EXPORTER_OTLP_ENDPOINT: '',
  })
}

/** Starts Pillar on the restored database, and signs in. */
async function serve({ signIn, port, say, stop }: Checks, settings: Record<string, string>): Promise<string[]> {
  const env = servingSettings(settings, port)
  const pillar = spawn(process.execPath, [SERVER], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const heard = hear(pillar)
  const address = `http://127.0.0.1:${port + 1}`
  try {
    // Its log says so, because something else on the port would answer too.
    const isReady = async () => / is running on /.test(heard()) && (await fetch(`${address}/readyz`)).status === 200
    const ready = await eventually(isReady, () => hasEnded(pillar) || stop?.aborted === true)
    say(ready ? 'Pillar serves from it.' : 'PILLAR DOES NOT SERVE FROM IT.')
    if (!ready) return [`Pillar does not serve from the restored database. ${lastLine(heard())}`.trim()]
    if (!signIn) return []
    const at = signIn.indexOf(':')
    const body = JSON.stringify({ name: signIn.slice(0, at), password: signIn.slice(at + 1) })
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch(`${address}/api/enterprise-login`, { method: 'POST', headers, body })
    say(status === 200 ? 'Signing in works.' : `SIGNING IN FAILED (${status}).`)
    return status === 200 ? [] : [`Signing in was answered with ${status}.`]
  } finally {
    const gone = new Promise((done) => pillar.once('exit', done))
    if (!hasEnded(pillar)) {
      pillar.kill('SIGTERM')
      await gone
    }
  }
}

/** How much is kept of the end of what it prints. */
const HEARD_CHARACTERS = 8_000

/** What a process has printed. */
function hear(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      text = (text + part.toString()).slice(-HEARD_CHARACTERS)
    })
  return () => text
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''

/** Whether `look` is true within a minute, and before `isOver`. */
async function eventually(look: () => Promise<boolean>, isOver: () => boolean): Promise<boolean> {
  for (let tried = 0; tried < 300 && !isOver(); tried++) {
    if (await look().catch(() => false)) return true
    await new Promise((done) => setTimeout(done, 200))
  }
  return false
}
