import { spawn } from 'node:child_process'

/**
 * Runs one of our programs with this Node, its output on this terminal. What the keyboard ends here ends there: both
 * stand in the terminal's group.
 * @returns its exit code; 1 where a signal ended it
 */
export function run(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('exit', (code) => done(code ?? 1))
  })
}
