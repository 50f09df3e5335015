import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPillar, temporaryFolder } from '../../../test/running-pillar.ts'
import { migrate } from '../migrate.ts'
import { makePrivate } from './data-folder.ts'
import { type EmbeddedDatabase, runningEmbedded, startEmbedded } from './embedded.ts'

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
const NOBODY = 65_534
/** A file system that takes no new folders, and says that they do not exist. */
const IN_PROC = [
  ['/proc/pillar', 'ENOENT'],
  ['/proc/pillar/data', 'ENOENT'],
] as const
const root = process.getuid?.() === 0

async function ask<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  // The test ends the server under this client.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

/** Processes that run in a cluster's folder. */
function processesOf(cluster: string): number[] {
  const home = realpathSync(cluster)
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        return readlinkSync(`/proc/${entry}/cwd`) === home
      } catch {
        return false
      }
    })
    .map(Number)
}

const serverPid = async (folder: string) =>
  Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

describe('the embedded database', () => {
  let folder: string
  let database: EmbeddedDatabase
  const events: string[] = []
  beforeAll(async () => {
    folder = await temporaryFolder('embedded')
    database = await startEmbedded(folder, (event) => void events.push(event))
    await migrate(database.ownerUrl, () => {}, database.url)
  })
  afterAll(async () => {
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('is not accessible to other accounts on the machine', async () => {
    // When started as root, PostgreSQL has its own user, whose group may pass through the folder.
    expect(mode(folder)).toBe(root ? '710' : '700')
    expect([mode(join(folder, 'postgres')), mode(join(folder, 'socket'))]).toEqual(['700', '700'])
    expect([mode(join(folder, 'postgres.json')), mode(join(folder, 'pillar.pid'))]).toEqual(['600', '600'])
    expect(await ask(database.url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(await readFile(join(folder, 'postgres/pg_hba.conf'), 'utf8')).toBe('local all all scram-sha-256\n')
    if (!root) return
    for (const path of [folder, join(folder, 'socket'), join(folder, 'postgres.json')])
      expect(spawnSync('ls', [path], { uid: NOBODY, gid: NOBODY, cwd: '/' }).status).not.toBe(0)
  })

  it('needs the password, and never admits the superuser', async () => {
    const as = (user: string, password: string) => {
      const url = new URL(database.url)
      Object.assign(url, { username: user, password })
      return ask(url.href, 'select 1')
    }
    await expect(as('pillar_server', 'pillar')).rejects.toThrow('password authentication failed')
    for (const password of ['pillar', 'postgres', new URL(database.ownerUrl).password])
      await expect(as('postgres', password)).rejects.toThrow(/authentication failed|not permitted to log in/)
    await expect(as('pillar', 'pillar')).rejects.toThrow('authentication failed')
    expect(new URL(database.url).password).not.toBe(new URL(database.ownerUrl).password)
  })

  it('serves through a login that can only take Pillar’s roles', async () => {
    for (const url of [database.url, database.ownerUrl]) {
      await expect(ask(url, `copy company from program 'id'`)).rejects.toThrow('permission denied')
      await expect(ask(url, `select pg_read_file('/etc/passwd')`)).rejects.toThrow('permission denied')
    }
    for (const table of ['patient', 'login', 'company', 'pgboss.job'])
      await expect(ask(database.url, `select * from ${table}`)).rejects.toThrow('permission denied')
    await expect(ask(database.url, 'create table public.mine (id int)')).rejects.toThrow('permission denied')
    const roles = await ask<{ role: string }>(
      database.url,
      `select rolname as role from pg_roles where pg_has_role(session_user, oid, 'member') order by 1`,
    )
    expect(roles.map(({ role }) => role)).toEqual(
      expect.arrayContaining(['pillar_app', 'pillar_system', 'pillar_queue', 'pillar_recruiter', 'pillar_server']),
    )
    expect(roles.map(({ role }) => role)).not.toContain('pillar_owner')
  })

  it('restarts after a kill -9, and reports it', { timeout: 60_000 }, async () => {
    const killed = await serverPid(folder)
    // A running query outlives its server, and would keep the next one from starting.
    const busy = ask(database.url, 'select count(*) from generate_series(1, 1000000000)').catch((error: Error) => error)
    await expect.poll(() => processesOf(join(folder, 'postgres')).length, { timeout: 10_000 }).toBeGreaterThan(8)
    process.kill(killed, 'SIGKILL')
    await expect.poll(database.trouble, { timeout: 2000 }).toBe('The database stopped and is being started again.')
    await expect.poll(database.trouble, { timeout: 10_000 }).toBe(null)
    expect(await ask(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await serverPid(folder)).not.toBe(killed)
    expect(await busy).toBeInstanceOf(Error)
    expect(events).toEqual(['the database stopped (SIGKILL); starting it again', 'the database runs again'])
  })

  it('outlasts a folder that disappears, as with a removed disk, and runs again once it is back', {
    timeout: 60_000,
  }, async () => {
    const away = `${folder}-away`
    process.kill(await serverPid(folder), 'SIGKILL')
    await rename(folder, away)
    try {
      await expect
        .poll(database.trouble, { timeout: 10_000 })
        .toBe(
          'The folder of the database cannot be used (No such file or directory). Put it right: it then starts again by itself.',
        )
      expect(events.at(-1)).toMatch(/^the database did not start: .*No such file or directory/s)
    } finally {
      await rename(away, folder)
    }
    await expect.poll(database.trouble, { timeout: 40_000 }).toBe(null)
    expect(await ask(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('can be stopped while frozen, and leaves no process behind', { timeout: 60_000 }, async () => {
    process.kill(await serverPid(folder), 'SIGSTOP')
    await database.stop()
    expect(processesOf(join(folder, 'postgres'))).toEqual([])
    expect([existsSync(join(folder, 'pillar.pid')), existsSync(join(folder, 'socket'))]).toEqual([false, false])
    expect(await runningEmbedded(folder)).toBeNull()
    database = await startEmbedded(folder, () => {})
    expect(await runningEmbedded(folder)).toBe(database.url)
    expect(await runningEmbedded(folder, 'owner')).toBe(database.ownerUrl)
  })
})

describe('a folder of the database', () => {
  const folders: string[] = []
  const folder = async () => {
    const made = await temporaryFolder('folder')
    folders.push(made)
    return made
  }
  afterAll(() => Promise.all(folders.map((one) => rm(one, { recursive: true, force: true }))))

  it('may have a path too long for a socket', async () => {
    const long = join(await folder(), 'x'.repeat(90), 'y'.repeat(30))
    await mkdir(long, { recursive: true })
    const database = await startEmbedded(long, () => {})
    const socket = new URL(database.url).searchParams.get('host')!
    try {
      expect(Buffer.byteLength(join(socket, '.s.PGSQL.5432'))).toBeLessThanOrEqual(103)
      expect(mode(socket)).toBe('700')
      expect(await ask(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
    } finally {
      await database.stop()
    }
    expect(existsSync(socket)).toBe(false)
  })

  it('may have a comma, a quote and a space in its path', async () => {
    const odd = join(await folder(), `a, "b" 'c' é`)
    const database = await startEmbedded(odd, () => {})
    expect(await ask(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await database.stop()
  })

  it('is refused if it contains other files, and stays unchanged', async () => {
    const full = await folder()
    await writeFile(join(full, 'letter.txt'), 'mine')
    const before = mode(full)
    await expect(startEmbedded(full, () => {})).rejects.toThrow(`The folder ${full} holds other files.`)
    expect([mode(full), readdirSync(full)]).toEqual([before, ['letter.txt']])
  })

  it('that is not a folder, or cannot be created, is refused in a sentence that names the setting', async () => {
    const file = join(await folder(), 'letter.txt')
    await writeFile(file, 'mine')
    for (const [path, code] of [
      [file, 'ENOTDIR'],
      [join(file, 'data'), 'ENOTDIR'],
      ...(process.platform === 'linux' ? IN_PROC : []),
    ])
      await expect(makePrivate(path!)).rejects.toThrow(
        `${path} cannot be used as a folder (${code}): set DATA_DIR to one that Pillar may make and write to.`,
      )
  })

  it('is recognised by the anchors alone, which may be all that a worker’s own folder contains', async () => {
    const anchors = await folder()
    await mkdir(join(anchors, 'audit'))
    expect(await makePrivate(anchors)).toBe(anchors)
  })

  it.runIf(root)('is refused for root if PostgreSQL could not enter it', async () => {
    const shut = await folder()
    await chmod(shut, 0o700)
    await expect(startEmbedded(join(shut, 'data'), () => {})).rejects.toThrow(
      /runs PostgreSQL as the system user "postgres", who may not enter .* Put DATA_DIR where/,
    )
  })

  it('is recreated when its creation was interrupted', async () => {
    const cut = await folder()
    await mkdir(join(cut, 'postgres.new/base'), { recursive: true })
    const database = await startEmbedded(cut, () => {})
    await database.stop()
    expect(existsSync(join(cut, 'postgres.new'))).toBe(false)
  })

  it('gets new passwords when they are lost', async () => {
    const lost = await folder()
    const before = await startEmbedded(lost, () => {})
    await before.stop()
    await rm(join(lost, 'postgres.json'))
    const after = await startEmbedded(lost, () => {})
    expect(after.url).not.toBe(before.url)
    expect(await ask(after.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await after.stop()
  })

  it('is taken over from a Pillar that was killed', { timeout: 120_000 }, async () => {
    const taken = await folder()
    const first = await startPillar({ DATA_DIR: taken })
    expect(await first.end('SIGKILL')).toBe('SIGKILL')
    const left = processesOf(join(taken, 'postgres'))
    expect(left.length).toBeGreaterThan(0)
    const second = await startPillar({ DATA_DIR: taken })
    expect(processesOf(join(taken, 'postgres')).filter((pid) => left.includes(pid))).toEqual([])
    expect(await second.end('SIGTERM')).toBe(0)
    expect(processesOf(join(taken, 'postgres'))).toEqual([])
  })

  it.runIf(process.platform === 'linux')(
    'is not blocked by a program with the process number of a Pillar from before the last boot',
    async () => {
      const held = await folder()
      const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
      try {
        const first = await startEmbedded(held, () => {})
        const [, started] = (await readFile(join(held, 'pillar.pid'), 'utf8')).split(' ')
        await first.stop()
        // The version before wrote the number alone.
        await writeFile(join(held, 'pillar.pid'), String(other.pid))
        await expect(startEmbedded(held, () => {})).rejects.toThrow(
          `Another Pillar (process ${other.pid}) already uses`,
        )
        await writeFile(join(held, 'pillar.pid'), `${other.pid} ${Number(started) - 1}`)
        await (await startEmbedded(held, () => {})).stop()
      } finally {
        other.kill()
      }
    },
  )

  it.runIf(process.platform === 'linux')('stops no other PostgreSQL that has got its process number', async () => {
    const [ours, others] = [await folder(), await folder()]
    await (await startEmbedded(ours, () => {})).stop()
    const other = await startEmbedded(others, () => {})
    try {
      const number = await serverPid(others)
      await copyFile(join(others, 'postgres/postmaster.pid'), join(ours, 'postgres/postmaster.pid'))
      expect(await runningEmbedded(ours)).toBeNull()
      await (await startEmbedded(ours, () => {})).stop()
      expect([await serverPid(others), other.trouble()]).toEqual([number, null])
    } finally {
      await other.stop()
    }
  })
})
