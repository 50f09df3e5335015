import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { settingNames, settingOf } from '../../deploy/setting-names.ts'

/** One version of Pillar as files: its folder, and its name in the output. */
export interface Version {
  name: string
  folder: string
}

/**
 * Checks out the files of a git reference under `folder`, with the packages installed here: links to all of them except our own workspaces,
 * which are that version's. @throws Error if git does not know the reference
 */
export function layOut(reference: string, folder: string): Version {
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', reference], { maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  link(resolve('node_modules'), join(folder, 'node_modules'))
  cpSync('node_modules/@pillar', join(folder, 'node_modules/@pillar'), { recursive: true, verbatimSymlinks: true })
  for (const workspace of ['apps/server', 'apps/web', 'demo'])
    if (existsSync(join(workspace, 'node_modules')))
      link(resolve(workspace, 'node_modules'), join(folder, workspace, 'node_modules'))
  const commit = execFileSync('git', ['rev-parse', '--short', reference], { encoding: 'utf8' }).trim()
  return { name: `${reference} (${commit})`, folder }
}

function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) if (name !== '@pillar') symlinkSync(join(from, name), join(to, name))
}

/** A version's environment: without this terminal's settings for a running Pillar, plus the given ones. */
function environment(given: Record<string, string>): NodeJS.ProcessEnv {
  const names = settingNames()
  const others = Object.entries(process.env).filter(([name]) => !names.has(settingOf(name)))
  return { ...Object.fromEntries(others), ...given }
}

export interface Running {
  url: string
  stop: () => Promise<void>
}

const READY = /is running( on|,)/
const SLOWEST_START_MS = 900_000

/** Starts one process of a version and waits until it reports that it runs. @throws Error with its output if it does not */
export async function start(version: Version, port: number, settings: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, ['apps/server/src/main.ts'], {
    cwd: version.folder,
    env: environment({ PORT: String(port), LOG_LEVEL: 'error', DEMO: 'none', ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  await new Promise<void>((done, failed) => {
    const timer = setTimeout(
      () => failed(new Error(`did not run within ${SLOWEST_START_MS / 60_000} minutes:\n${output}`)),
      SLOWEST_START_MS,
    )
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      if (!READY.test(output)) return
      clearTimeout(timer)
      done()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => failed(new Error(`${version.name} ended with ${code} before it ran:\n${output}`)))
  }).catch((error) => {
    child.kill('SIGKILL')
    throw error
  })
  return { url: `http://127.0.0.1:${port}`, stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  await gone
}

/** Runs a program of a version until it ends. @returns its output. @throws Error if it fails */
export async function runOf(version: Version, args: readonly string[], env: Record<string, string>): Promise<string> {
  const settings = { cwd: version.folder, env: environment(env), maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)(process.execPath, args, settings)
  return stdout
}
