import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { runningPid } from '../../apps/server/src/db/embedded/postmaster.ts'
import { runOf } from './version.ts'

afterEach(() => vi.unstubAllEnvs())

it('a rehearsal uses no setting of the running Pillar: it would text by its gateway and use its bucket', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pillar-version-'))
  try {
    writeFileSync(join(folder, 'print.mjs'), 'console.log(JSON.stringify(process.env))')
    vi.stubEnv('SMS_GATEWAY', 'twilio')
    vi.stubEnv('S3_BUCKET', 'uploads')
    vi.stubEnv('SMTP_URL_FILE', '/run/secrets/smtp_url')
    const printed = await runOf({ name: 'this', folder }, ['print.mjs'], { DATA_DIR: folder })
    const { PATH, DATA_DIR, SMS_GATEWAY, S3_BUCKET, SMTP_URL_FILE } = JSON.parse(printed)
    expect([PATH, DATA_DIR]).toEqual([process.env.PATH, folder])
    expect([SMS_GATEWAY, S3_BUCKET, SMTP_URL_FILE]).toEqual([undefined, undefined, undefined])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('an invalid number of large pharmacies is refused', () => {
  const words = ['tools/upgrade-check.ts', 'nowhere', '--large', 'three']
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([2, '--large is a number of pharmacies, not "three".\n'])
})

it('a rehearsal that is stopped leaves no database running and nothing on the disk', {
  timeout: 180_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pillar-rehearsed-'))
  chmodSync(folder, 0o711)
  const child = spawn(process.execPath, ['tools/upgrade-check.ts', 'HEAD'], { env: { ...process.env, TMPDIR: folder } })
  const gone = new Promise((done) => child.once('exit', done))
  try {
    const ready = () => globSync(join(folder, 'pillar-upgrade-*/data/postgres.json'))[0]
    await expect.poll(ready, { timeout: 120_000, interval: 100 }).toBeDefined()
    const cluster = join(ready()!, '../postgres')
    await expect.poll(() => runningPid(cluster), { timeout: 30_000 }).not.toBeNull()
    const pid = (await runningPid(cluster))!
    child.kill('SIGTERM')
    await gone
    // The migration loader keeps its compiled files beside it.
    expect(readdirSync(folder).filter((name) => name !== 'jiti')).toEqual([])
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})
