import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)

it.each(['pharmacy', 'migrate', 're-erase'])(
  'npm run %s -- --help says how it is called, and does nothing',
  async (name) => {
    // Nothing listens there: whoever asked the database would fail.
    const env = { PATH: process.env.PATH, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }
    const { stdout } = await run(process.execPath, [resolve(import.meta.dirname, `${name}.ts`), '--help'], { env })
    expect(stdout).toMatch(new RegExp(`^npm run ${name}\\b`))
  },
)
