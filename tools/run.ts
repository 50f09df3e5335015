import { spawn } from 'node:child_process'

/** Exit codes of a program ended by a closed terminal, Ctrl+C or a stop. */
const ENDED_BY = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/**
 * Runs one of our programs with this Node, its output on this terminal. Signals from the terminal reach both programs, which share its
 * group, and a stop is passed on; either ends this program too, but only after the other has ended.
 * @returns its exit code; 1 if a signal ended it
 */
export function run(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  let ended = 0
  const onSignal = (signal: keyof typeof ENDED_BY) => {
    ended = ENDED_BY[signal]
    if (signal === 'SIGTERM') child.kill(signal)
  }
  const signals = Object.keys(ENDED_BY) as (keyof typeof ENDED_BY)[]
  for (const signal of signals) process.on(signal, onSignal)
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('exit', (code) => {
      for (const signal of signals) process.off(signal, onSignal)
      if (ended > 0) process.exit(ended)
      done(code ?? 1)
    })
  })
}
