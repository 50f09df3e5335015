import { spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runningEmbedded } from '../../apps/server/src/db/embedded/embedded.ts'

export interface AiServer {
  url: string
  close: () => Promise<void>
}

/** A second web process on the database under test, with an AI service at `aiUrl`: the first has none. */
export async function startAiServer(aiUrl: string): Promise<AiServer> {
  const first = process.env.E2E_DATA_DIR
  const database = first ? await runningEmbedded(first) : null
  const owner = first ? await runningEmbedded(first, 'owner') : null
  if (!first || !database || !owner)
    throw new Error('The database of the server under test is not running: use "npm run e2e".')
  const folder = mkdtempSync(join(tmpdir(), 'pillar-ai-'))
  if (!process.env.SECRET) for (const name of ['secret', 'keys']) copyFileSync(join(first, name), join(folder, name))
  const databases = { DATABASE_URL: database, DATABASE_OWNER_URL: owner }
  const settings = { ...databases, DATA_DIR: folder, PORT: '0', ROLE: 'web', DEMO: 'none', LOG_LEVEL: 'warn' }
  const ai = { AI_BASE_URL: aiUrl, AI_MODEL: 'small' }
  const server = spawn(process.execPath, ['apps/server/src/main.ts'], {
    env: { ...process.env, ...settings, ...ai },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((done, failed) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      const found = /is running on (\S+)/.exec(output)
      if (found) done(found[1]!)
    }
    server.stdout.on('data', hear)
    server.stderr.on('data', hear)
    server.once('exit', (code) => failed(new Error(`The second server stopped (${code}):\n${output}`)))
  })
  return {
    url,
    close: async () => {
      const gone = new Promise((done) => server.once('exit', done))
      server.kill('SIGTERM')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}
