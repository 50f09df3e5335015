import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { drill } from '../../../../deploy/restore-drill.ts'
import { DEEP } from '../deep.ts'
import { freePort } from '../running-pillar.ts'
import { makeHosts, missing } from './drill-world.ts'

/** Mounts a disk of 16 MB in memory over this folder. @returns whether that worked; it requires root */
function mountSmall(folder: string): boolean {
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=777', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it.skipIf(!DEEP || missing !== '')(
  `a restore drill that fails says why in the words of PostgreSQL or pgBackRest, and that this machine sorts otherwise, and leaves nothing behind${missing}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pillar-drill-'))
    await chmod(folder, 0o755)
    const inside = join(folder, 'tmp')
    const port = await freePort()
    const hosts = await makeHosts(folder, { pillar: port })
    const [url, ownerUrl] = ['server', 'owner'].map(
      (who) => `postgres://pillar_${who}:${who}@127.0.0.1:${port}/pillar`,
    ) as [string, string]
    const lines: string[] = []
    const say = (line: string) => void lines.push(line)
    const why = async (more: { point?: string } = {}) => {
      const asked = { config: hosts.config, stanza: 'pillar', url, ownerUrl, dataDir: inside, say }
      const failed = drill({ ...asked, ...more, port: await freePort() })
      const message = await failed.then(
        () => 'It did not fail.',
        (error: Error) => error.message,
      )
      return [message, await readdir(inside)] as const
    }
    let small = false
    try {
      await hosts.admin('pillar', 'drop database pillar')
      await hosts.admin(
        'pillar',
        `create database pillar owner pillar_owner template template0 locale_provider icu icu_locale 'en-AU' collation_version '0.1'`,
      )
      await hosts.back('pillar', 'stanza-create')
      await hosts.back('pillar', '--type=full', 'backup')
      await mkdir(inside)
      await chmod(inside, 0o777)
      vi.stubEnv('TMPDIR', inside)
      const nothing: string[] = []
      expect(await why({ point: 'never' })).toEqual([expect.stringMatching(/recovery ended before/), nothing])
      await drill({
        config: hosts.config,
        stanza: 'pillar',
        url,
        ownerUrl,
        dataDir: inside,
        say,
        port: await freePort(),
      })
      expect(lines).toContainEqual(expect.stringMatching(/sorts text by other rules \([\d.]+\) than .*\(0\.1\)/))
      small = mountSmall(inside)
      if (small)
        expect(await why()).toEqual([
          expect.stringMatching(/unable to write[\s\S]*\n\d MB are free in .*: TMPDIR needs room/),
          nothing,
        ])
    } finally {
      vi.unstubAllEnvs()
      if (small) execFileSync('/bin/umount', ['-l', inside])
      await hosts.lose()
      await rm(folder, { recursive: true, force: true })
    }
  },
  180_000,
)
