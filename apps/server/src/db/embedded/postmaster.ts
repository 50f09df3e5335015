import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '../away.ts'
import { type PostgresProgram, plainEnvironment } from './postgres-program.ts'

/** How long a start may take to begin; after a crash it then replays its log, for as long as that takes. */
const START_MS = 120_000
/** Waits before the first, second … attempt to start again; after a minute of running they begin anew. */
const BACK_OFF_MS = [100, 500, 1000, 2000, 5000, 10_000, 30_000]
const STEADY_MS = 60_000
/** Time allowed for a stop by SIGINT, then by SIGQUIT; then SIGKILL. */
const STOP_MS = [15_000, 5_000] as const
const POLL_MS = 20
/** The folder is missing, belongs to somebody else, or is read-only. */
const NO_FOLDER =
  /No such file or directory|Permission denied|Operation not permitted|Read-only file system|Input\/output error/
const STOPPED = 'The database stopped and is being started again.'

/** The message for an operator while PostgreSQL does not start, from its last output. */
function troubleOf(refused: string): string {
  // PostgreSQL ends when it can no longer write its log, and starts again only once there is room.
  if (isDiskFull(new Error(refused)))
    return 'The disk of the database is full. Make room: it then starts again by itself.'
  const why = NO_FOLDER.exec(refused)?.[0]
  if (!why) return STOPPED
  return `The folder of the database cannot be used (${why}). Put it right: it then starts again by itself.`
}

export interface Postmaster {
  /** Null while it runs; otherwise a sentence about its trouble. */
  trouble: () => string | null
  stop: () => Promise<void>
}

/**
 * Runs PostgreSQL on a cluster and watches it: if it ends unexpectedly it is started again, with growing pauses, and `tell` is called. It
 * ends with this process, however that ends; only `kill -9` leaves it behind, for the next start (see `stopLeftOver`).
 * @param startMs how long it may take to begin
 * @throws Error with its last lines if the first start fails
 */
export async function runPostmaster(
  program: PostgresProgram,
  dir: string,
  args: readonly string[],
  tell: (event: string) => void,
  startMs = START_MS,
): Promise<Postmaster> {
  let stopping = false
  let trouble: string | null = null
  const start = () => launch(program, dir, args, tell, startMs)
  let child = start()
  const endWithUs = () => quit(child.process, 'SIGQUIT')
  process.on('exit', endWithUs)
  const again = async () => {
    killBackends(dir)
    child = start()
    return child.up
  }
  const watch = () => {
    const began = performance.now()
    void child.ended.then(async (how) => {
      if (stopping) return
      trouble = STOPPED
      tell(`the database stopped (${how}); starting it again`)
      for (let failures = performance.now() - began > STEADY_MS ? 0 : 1; !stopping; failures++) {
        await pause(BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length - 1)]!)
        if (stopping) return
        const refused = await again().catch((error: Error) => error.message)
        if (refused === null) {
          trouble = null
          tell('the database runs again')
          watch()
          return
        }
        if (stopping) return
        trouble = troubleOf(refused)
        tell(`the database did not start: ${refused}`)
      }
    })
  }
  const refused = await child.up
  if (refused !== null) {
    process.removeListener('exit', endWithUs)
    throw new Error(refused)
  }
  watch()
  return {
    trouble: () => trouble,
    async stop() {
      stopping = true
      for (const [at, signal] of (['SIGINT', 'SIGQUIT'] as const).entries()) {
        quit(child.process, signal)
        if (await within(child.ended, STOP_MS[at]!)) break
      }
      child.process.kill('SIGKILL')
      killBackends(dir)
      process.removeListener('exit', endWithUs)
    },
  }
}

interface Launched {
  process: ChildProcess
  /** How it ended. */
  ended: Promise<string>
  /** Null once connections are accepted; the reason if it ended before. */
  up: Promise<string | null>
}

/** In its own session, so that Ctrl+C in a terminal reaches only Pillar, which still needs its database to finish. */
function launch(
  program: PostgresProgram,
  dir: string,
  args: readonly string[],
  tell: (event: string) => void,
  startMs: number,
): Launched {
  const child = spawn(program.postgres, ['-D', dir, ...args], {
    ...program.as,
    env: plainEnvironment(),
    cwd: '/',
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
  })
  let lines = ''
  let over: string | null = null
  child.stderr?.on('data', (chunk: Buffer) => {
    lines = (lines + chunk.toString()).slice(-4000)
  })
  const ended = new Promise<string>((done) => {
    child.once('error', (error) => done(error.message))
    child.once('exit', (code, signal) => done(signal ?? `exit code ${code}`))
  })
  void ended.then((how) => {
    over = how
  })
  const up = async () => {
    let slow = false
    for (const began = performance.now(); over === null; await pause(POLL_MS)) {
      const [pid, , , , , , , status] = await markOf(dir)
      const begun = Number(pid) === child.pid
      if (begun && status?.trim() === 'ready') return null
      if (slow || performance.now() - began < startMs) continue
      slow = begun
      if (!begun) child.kill('SIGKILL')
      else
        tell(
          `the database has not come up for ${startMs / 1000} s: after a crash it reads its log again, and is left to it`,
        )
    }
    return `${over}\n${lines.split('\n').slice(-8).join('\n').trim()}`
  }
  return { process: child, ended, up: up() }
}

/** Sends the stop signal, then one to wake it: a frozen process receives nothing. */
function quit(child: ChildProcess, signal: NodeJS.Signals): void {
  child.kill(signal)
  if (process.platform !== 'win32') child.kill('SIGCONT')
}

/** Ends a server, and its remains, still running on `dir` because the Pillar that started it was killed. */
export async function stopLeftOver(dir: string): Promise<void> {
  const pid = await runningPid(dir)
  if (pid !== null) {
    for (const [at, signal] of (['SIGINT', 'SIGQUIT', 'SIGKILL'] as const).entries()) {
      process.kill(pid, signal)
      if (signal !== 'SIGKILL') process.kill(pid, 'SIGCONT')
      const until = performance.now() + (STOP_MS[at] ?? 2000)
      while ((await runningPid(dir)) === pid && performance.now() < until) await pause(POLL_MS)
      if ((await runningPid(dir)) !== pid) break
    }
  }
  killBackends(dir)
  await rm(join(dir, 'postmaster.pid'), { force: true })
}

/** The server that runs on `dir`; null if none does. */
export async function runningPid(dir: string): Promise<number | null> {
  // A server in single-user mode writes its id with a minus sign.
  const pid = Math.abs(Number((await markOf(dir))[0]))
  return pid && commandOf(pid)?.includes('postgres') && runsIn(pid, dir) ? pid : null
}

/** Whether this is a PostgreSQL running on `dir`, and not another process with its id; where that cannot be seen, judged by its name alone. */
function runsIn(pid: number, dir: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dir)
  } catch {
    return true
  }
}

/** The name of a running process; null if it is not running. A process id is reused in time, so the name is checked too. */
export function commandOf(pid: number): string | null {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // A process of another user still exists.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null
  }
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return process.platform === 'linux' ? null : 'node or postgres'
  }
}

/**
 * When a process began, in ticks since the last boot: together with its id, which is reused in time, it identifies the process for good.
 * Null where it cannot be read.
 */
export function beginOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // It is the 20th word after the name, which may contain anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

const markOf = async (dir: string) => (await readFile(join(dir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')

/**
 * Ends the processes of a killed server: busy ones go on with their query, and no new server starts while one lives. Their transactions
 * were not acknowledged. Found by their folder (/proc); elsewhere they end by themselves within the statement limit.
 */
function killBackends(dir: string): void {
  // Nothing runs in a folder that is gone.
  if (process.platform !== 'linux' || !existsSync(dir)) return
  const home = realpathSync(dir)
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      if (readlinkSync(`/proc/${entry}/cwd`) !== home || commandOf(Number(entry)) !== 'postgres') continue
      process.kill(Number(entry), 'SIGKILL')
    } catch {
      // It has ended meanwhile, or belongs to another user.
    }
  }
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

/** Whether `ended` settles in time. */
async function within(ended: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((done) => {
    timer = setTimeout(() => done(false), ms)
  })
  const came = await Promise.race([ended.then(() => true), late])
  clearTimeout(timer)
  return came
}
