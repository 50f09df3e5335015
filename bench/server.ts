import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { runningEmbedded } from '../apps/server/src/db/embedded/embedded.ts'

export interface BenchServer {
  url: string
  /** The server's own process; the database runs in others. */
  pid: number
  /** The owner's: the suites write and count without going through the server. */
  databaseUrl: string
  stop: () => Promise<void>
}

const READY = /is running on/
const START_MS = 120_000
const STOP_MS = 30_000

/**
 * Starts Pillar as `npm start` does, on an empty or existing DATA_DIR, without the demo network, with these additional settings. Loopback
 * only.
 */
export async function startServer(dataDir: string, settings: Record<string, string> = {}): Promise<BenchServer> {
  mkdirSync(dataDir, { recursive: true })
  const port = await freePort()
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: { start: string } }
  const child = spawn(process.execPath, scripts.start.split(' ').slice(1), {
    env: { ...withoutSettings(), DATA_DIR: dataDir, PORT: String(port), DEMO: 'none', LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => void child.kill('SIGTERM')
  process.once('exit', kill)
  let output = ''
  await new Promise<void>((done, failed) => {
    const hear = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000)
      if (READY.test(output)) done()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => failed(new Error(`The server stopped (${code}) before it was ready:\n${output}`)))
    setTimeout(() => failed(new Error(`The server was not ready in time:\n${output}`)), START_MS).unref()
  })
  const databaseUrl = settings.DATABASE_OWNER_URL ?? (await runningEmbedded(dataDir, 'owner'))
  if (!databaseUrl) throw new Error(`The database in ${dataDir} is not running.`)
  return {
    url: `http://localhost:${port}`,
    pid: child.pid ?? 0,
    databaseUrl,
    async stop() {
      process.removeListener('exit', kill)
      if (child.exitCode !== null) return
      const gone = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await gone
      clearTimeout(late)
    },
  }
}

/** The environment without Pillar's own settings, so that a run measures the defaults. */
function withoutSettings(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, DATABASE_OWNER_URL: __, ...own } = process.env
  const { PUBLIC_URL: ___, ROLE: ____, HOST: _____, ETL_WORKERS: ______, ...rest } = own
  return rest
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer()
    probe.once('error', failed)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Samples a process's resident memory every 100 ms until stopped; returns the samples in MB and the kernel's own peak. */
export function watchMemory(pid: number): () => Promise<{ samples: number[]; peak: number }> {
  const samples: number[] = []
  const read = async (field: string) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024
  }
  const timer = setInterval(() => {
    read('VmRSS').then(
      (value) => samples.push(value),
      () => clearInterval(timer),
    )
  }, 100)
  return async () => {
    clearInterval(timer)
    samples.push(await read('VmRSS'))
    return { samples, peak: await read('VmHWM') }
  }
}
