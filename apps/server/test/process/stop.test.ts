import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runningPid } from '../../src/db/embedded/postmaster.ts'
import { temporaryFolder } from '../running-pillar.ts'

const MAIN = resolve(import.meta.dirname, '../../src/main.ts')

describe('stopping Pillar', () => {
  it('finishes work, stops the database last, and exits with 0', { timeout: 120_000 }, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'pillar-stop-'))
    // The embedded database runs as a separate user if this runs as root.
    await chmod(dir, 0o755)
    try {
      const { DATABASE_URL: _, ...rest } = process.env
      // Every start migrates its own database, because no command does.
      const env = { ...rest, DATA_DIR: dir, PORT: '0', DEMO: 'none', LOG_LEVEL: 'error', MIGRATE: 'off' }
      const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      const running = new Promise<void>((done, failed) => {
        const hear = (chunk: Buffer) => {
          output += chunk.toString()
          if (output.includes('is running on')) done()
        }
        child.stdout.on('data', hear)
        child.stderr.on('data', hear)
        child.once('exit', (code) => failed(new Error(`ended with ${code} before it ran: ${output}`)))
      })
      await running
      const gone = new Promise<number | null>((done) => child.once('exit', done))
      child.kill('SIGTERM')
      expect(await gone).toBe(0)
      await expect(readFile(join(dir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT')
      expect(output).not.toContain('"level":50')
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  })

  it('while it starts, as when a terminal is closed, also ends the database', { timeout: 120_000 }, async () => {
    const dir = await temporaryFolder('stop')
    try {
      const { DATABASE_URL: _, ...rest } = process.env
      const child = spawn(process.execPath, [MAIN], { env: { ...rest, DATA_DIR: dir, PORT: '0', DEMO: 'none' } })
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
      const gone = new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)))
      await expect.poll(() => output, { timeout: 60_000 }).toContain('Bringing the database up to date')
      expect(await runningPid(join(dir, 'postgres'))).not.toBeNull()
      child.kill('SIGHUP')
      expect(await gone).toBe(129)
      await expect.poll(() => runningPid(join(dir, 'postgres')), { timeout: 10_000 }).toBeNull()
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  })
})
