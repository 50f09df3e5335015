import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const MAIN = resolve(import.meta.dirname, '../src/main.ts')

export interface RunningPillar {
  url: string
  process: ChildProcess
  /** Everything it has printed so far. */
  output: () => string
  /** @returns the exit code, or the signal that ended it */
  end: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals | null>
}

/** The environment of a command that must not see this process's settings, such as its database. */
export function bareEnv() {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE }
}

/** An empty folder that PostgreSQL's user may enter if this runs as root. */
export async function temporaryFolder(name: string): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), `pillar-${name}-`))
  await chmod(made, 0o711)
  return made
}

/** Pillar in a separate process, as `npm start` runs it, with these additional settings. @throws Error with its output if it does not start */
export async function startPillar(settings: Record<string, string>): Promise<RunningPillar> {
  const { DATABASE_URL: _, DATABASE_OWNER_URL: __, ...rest } = process.env
  const port = await freePort()
  const env = { ...rest, PORT: String(port), DEMO: 'none', LOG_LEVEL: 'error', ...settings }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const gone = new Promise<number | NodeJS.Signals | null>((done) =>
    child.once('exit', (code, signal) => done(code ?? signal)),
  )
  await new Promise<void>((done, failed) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      if (/is running( on|,)/.test(output)) done()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    void gone.then((code) => failed(new Error(`ended with ${code} before it ran: ${output}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    output: () => output,
    end(signal) {
      child.kill(signal)
      return gone
    },
  }
}

/** A port nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })
}
