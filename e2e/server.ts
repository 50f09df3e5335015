import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const READY = /is running on/
/** The page the 'recall' study leads to; the tests answer in its place. */
const SURVEY = 'https://survey.example/start'

/**
 * Starts Pillar as `npm start` does, in a folder of its own, and waits until the demo network is loaded. With E2E_URL the
 * tests use the Pillar running there instead; E2E_DATA_DIR then says where its data is.
 */
export default async function startServer(): Promise<() => Promise<void>> {
  if (process.env.E2E_URL) {
    if (!process.env.E2E_DATA_DIR) throw new Error('With E2E_URL, set E2E_DATA_DIR to the DATA_DIR of that Pillar.')
    return async () => {}
  }
  const folder = mkdtempSync(join(tmpdir(), 'pillar-e2e-'))
  const port = process.env.E2E_PORT ?? '4173'
  const server = spawn(process.execPath, ['apps/server/src/main.ts'], {
    env: { ...process.env, DATA_DIR: folder, PORT: port, DEMO: 'tiny', LOG_LEVEL: 'warn', RECALL_SURVEY_URL: SURVEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async () => {
    const gone = new Promise((done) => server.once('exit', done))
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGTERM')
      await Promise.race([gone, new Promise((done) => setTimeout(done, 30_000))])
    }
    await rm(folder, { recursive: true, force: true })
  }
  let output = ''
  const began = performance.now()
  await new Promise<void>((done, failed) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      if (READY.test(output)) done()
    }
    server.stdout.on('data', hear)
    server.stderr.on('data', hear)
    server.once('exit', (code) => failed(new Error(`The server stopped (${code}) before it was ready:\n${output}`)))
    setTimeout(() => failed(new Error(`The server was not ready after 5 minutes:\n${output}`)), 300_000).unref()
  }).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  process.stdout.write(`Pillar under test is ready after ${((performance.now() - began) / 1000).toFixed(1)} s\n`)
  process.env.E2E_DATA_DIR = folder
  return stop
}
