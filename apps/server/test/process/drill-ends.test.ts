import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { type Drill, drill } from '../../../../deploy/restore-drill.ts'
import { migrate } from '../../src/db/migrate.ts'
import { DEEP } from '../deep.ts'
import { freePort } from '../running-pillar.ts'
import { makeHosts, missing } from './drill-world.ts'

/** The findings of a drill beside another program that has Pillar's port. */
async function besideAnother(asked: Drill): Promise<string[]> {
  const other = createServer((_request, answer) => void answer.end('ready'))
  await new Promise<void>((done) => other.listen(asked.port + 1, '127.0.0.1', done))
  const { failures } = await drill(asked).finally(() => other.close())
  return failures
}

/** Kills the PostgreSQL that was restored into a folder of `inside`. */
async function killRestored(inside: string): Promise<void> {
  const [own] = await readdir(inside)
  const [pid] = (await readFile(join(inside, own!, '0', 'data', 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  await new Promise((done) => setTimeout(done, 1000))
}

/** Runs the command, and signals it to end once the database answers. @returns its exit code or signal, and its output */
async function toldToEnd(
  { config, stanza, port, url, ownerUrl, dataDir }: Drill,
  signal: NodeJS.Signals,
): Promise<[unknown, string]> {
  const words = ['deploy/restore-drill.ts', '--config', config, '--stanza', stanza, '--port', String(port)]
  const env = { ...process.env, DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, DATA_DIR: dataDir }
  const child = spawn(process.execPath, words, { cwd: join(import.meta.dirname, '../../../..'), env })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString()
    })
  const ended = new Promise((done) => child.once('exit', (code, by) => done(code ?? by)))
  await expect.poll(() => said, { timeout: 60_000 }).toContain('The database answers')
  child.kill(signal)
  return [await ended, said]
}

it.skipIf(!DEEP || missing !== '')(
  `a restore drill takes no other program for Pillar, leaves DATA_DIR as it is, and removes what it restored however it ends${missing}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pillar-drill-'))
    await chmod(folder, 0o755)
    const [inside, dataDir] = [join(folder, 'tmp'), join(folder, 'pillar')]
    const port = await freePort()
    const [url, ownerUrl] = ['server', 'owner'].map(
      (who) => `postgres://pillar_${who}:${who}@127.0.0.1:${port}/pillar`,
    ) as [string, string]
    const hosts = await makeHosts(folder, { pillar: port })
    try {
      await hosts.back('pillar', 'stanza-create')
      await hosts.back('pillar', '--type=full', 'backup')
      await migrate(ownerUrl, () => {}, url)
      await hosts.admin('pillar', 'select pg_switch_wal()')
      for (const made of [inside, dataDir]) await mkdir(made)
      await chmod(inside, 0o777)
      await writeFile(join(dataDir, 'secret'), 'a1'.repeat(32))
      vi.stubEnv('TMPDIR', inside)
      const asked = async () => ({
        ...{ config: hosts.config, stanza: 'pillar', url, ownerUrl, dataDir, say: () => {} },
        port: await freePort(),
      })
      expect(await besideAnother(await asked())).toContainEqual(
        expect.stringMatching(/^Pillar does not serve from the restored database\. .*another program/),
      )
      // A folder of uploads made while its disk is unmounted would receive files nobody finds later.
      expect([await readdir(dataDir), await readdir(inside)]).toEqual([['secret'], []])

      await expect(drill({ ...(await asked()), look: () => killRestored(inside) })).rejects.toThrow()
      expect(await readdir(inside)).toEqual([])

      // The second is sent when a terminal is closed.
      for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
        const [code, said] = await toldToEnd(await asked(), signal)
        expect([code, await readdir(inside)]).toEqual([2, []])
        expect(said).toContain(`The drill was ended by ${signal}. What it restored is removed.`)
      }
    } finally {
      vi.unstubAllEnvs()
      await hosts.lose()
      await rm(folder, { recursive: true, force: true })
    }
  },
  600_000,
)
