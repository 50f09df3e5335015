import { execFile, spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { cloneDatabase, databaseUrl } from '../database.ts'
import { type DatabaseProxy, databaseProxy } from '../database-proxy.ts'
import { DEEP } from '../deep.ts'
import { freePort } from '../running-pillar.ts'

const TAG = 'pillar:test'
const NAME = `pillar-test-${process.pid}`

/** The first of the two that answers; a client without its service does not. */
const engine = ['docker', 'podman'].find((one) => spawnSync(one, ['info'], { stdio: 'ignore' }).status === 0)
const skip = !DEEP || engine === undefined

interface Said {
  status: number
  stdout: string
  stderr: string
}

/** Calls the engine while this process's database proxy keeps running. */
function say(...words: string[]): Promise<Said> {
  return new Promise((done) =>
    execFile(engine!, words, { maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) =>
      done({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    ),
  )
}

describe.skipIf(skip)(
  'the container (skipped unless DEEP=1 and Docker or Podman run here)',
  { timeout: 1_800_000 },
  () => {
    let database: Awaited<ReturnType<typeof cloneDatabase>>
    let proxy: DatabaseProxy
    beforeAll(async () => {
      const base = process.env.NODE_IMAGE ? ['--build-arg', `NODE_IMAGE=${process.env.NODE_IMAGE}`] : []
      const built = await say('build', '--file', 'deploy/Containerfile', '--tag', TAG, ...base, '.')
      expect(built.status, built.stderr).toBe(0)
      database = await cloneDatabase(inject('ownerUrl'))
      proxy = await databaseProxy(databaseUrl(inject('servingUrl'), new URL(database.url).pathname.slice(1)))
    }, 1_800_000)
    afterAll(async () => {
      await say('rm', '--force', '--volumes', NAME)
      await proxy.close()
      await database.drop()
    })

    it('serves the screens without rights and with a read-only root, and stops when told', async () => {
      const port = String(await freePort())
      const settings = {
        DATABASE_URL: proxy.url,
        SECRET: 's'.repeat(32),
        MIGRATE: 'off',
        HOST: '127.0.0.1',
        PORT: port,
      }
      const started = await say(
        ...['run', '--detach', '--name', NAME, '--network', 'host', '--read-only', '--cap-drop', 'ALL'],
        ...['--security-opt', 'no-new-privileges', '--tmpfs', '/tmp', '--volume', '/var/lib/pillar'],
        ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
        TAG,
      )
      expect(started.status, started.stderr).toBe(0)
      const at = `http://127.0.0.1:${port}`
      const ready = () =>
        fetch(`${at}/readyz`).then(
          (answer) => answer.ok,
          () => false,
        )
      for (let tries = 0; tries < 120 && !(await ready()); tries++) await pause(500)
      expect((await fetch(`${at}/readyz`)).status, (await say('logs', NAME)).stdout).toBe(200)
      const page = await fetch(at)
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')])
      expect((await say('exec', NAME, 'id', '-u')).stdout.trim()).toBe('10001')
      expect((await say('exec', NAME, 'touch', '/app/here')).status).not.toBe(0)
      expect((await say('stop', '--time', '40', NAME)).status).toBe(0)
      expect((await say('inspect', '--format', '{{.State.ExitCode}}', NAME)).stdout.trim()).toBe('0')
    })
  },
)
