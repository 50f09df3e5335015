import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

/** A small test run: it makes its folder, starts a program that takes a moment to end, and prints where the folder is. */
const RUN = `
  import { run } from ${JSON.stringify(pathToFileURL('tools/run.ts').href)}
  import { makeScratch } from ${JSON.stringify(pathToFileURL('tools/scratch.ts').href)}
  const { folder, remove } = makeScratch()
  const slow = "process.on('SIGINT', end); process.on('SIGTERM', end); function end() { setTimeout(process.exit, 300, 0) }"
  try {
    await run(['-e', slow + "; console.log(process.env.FOLDER); setTimeout(() => {}, 60_000)"], { FOLDER: folder })
    console.log('went on')
  } finally {
    remove()
  }`

it.each([
  ['Ctrl+C', 'SIGINT', (pid: number) => -pid, 130],
  ['a stop', 'SIGTERM', (pid: number) => pid, 143],
] as const)(
  '%s ends a test run once its program has ended, and leaves nothing in memory',
  async (_, signal, whom, code) => {
    // In a separate process group, as in a terminal: Ctrl+C reaches the whole group.
    const args = ['--input-type=module', '-e', RUN]
    const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    const folder = said.toString().trim()
    expect(existsSync(folder)).toBe(true)
    let more = ''
    child.stdout.on('data', (text) => (more += text))
    process.kill(whom(child.pid!), signal)
    expect(await once(child, 'close')).toEqual([code, null])
    expect([existsSync(folder), more]).toEqual([false, ''])
  },
)
