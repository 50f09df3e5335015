import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { countRows, drill, postgresPrograms, postgresUser } from '../../../../deploy/restore-drill.ts'
import { entriesFile, entryRow, MORPHINE, productsFile } from '../register.ts'
import { freePort, startPillar } from '../running-pillar.ts'
import { formOf, post } from '../upload.ts'

const run = promisify(execFile)
/** Debian's pgBackRest 2.45 knows PostgreSQL up to 15. */
const programs = postgresPrograms(15)
const hasTool = spawnSync('pgbackrest', ['version'], { stdio: 'ignore' }).status === 0
const missing = programs && hasTool ? '' : ': apt-get install pgbackrest postgresql-15 to run this'

/** A PostgreSQL that archives its log to an encrypted repository, as docs/operations.md sets one up. */
async function makeHost(folder: string, port: number) {
  const as = await postgresUser()
  const own = async (path: string) => {
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (as) await chown(path, as.uid, as.gid)
    return path
  }
  const [data, repo, log, lock] = await Promise.all(
    ['pg', 'repo', 'log', 'lock'].map((name) => own(join(folder, name))),
  )
  const config = join(folder, 'pgbackrest.conf')
  await writeFile(
    config,
    [
      '[global]',
      `repo1-path=${repo}`,
      'repo1-cipher-type=aes-256-cbc',
      'repo1-cipher-pass=of-this-test-alone',
      'repo1-retention-full=35',
    ]
      .concat([`log-path=${log}`, `lock-path=${lock}`, 'start-fast=y', 'compress-type=lz4', 'archive-timeout=60'])
      .concat(['[pillar]', `pg1-path=${data}`, `pg1-port=${port}`, `pg1-socket-path=${folder}`, ''])
      .join('\n'),
  )
  await chmod(config, 0o644)
  if (as) await chown(folder, as.uid, as.gid)
  const asPostgres = { ...as, cwd: '/' }
  await run(
    join(programs!, 'initdb'),
    ['-D', data!, '-U', 'postgres', '--auth-local=trust', '--auth-host=scram-sha-256', '-E', 'UTF8'],
    asPostgres,
  )
  const push = `pgbackrest --config=${config} --stanza=pillar archive-push %p`
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    archive_mode: 'on',
    archive_command: push,
    archive_timeout: 60,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(programs!, 'postgres'), ['-D', data!, ...args], {
    ...asPostgres,
    stdio: 'ignore',
    detached: true,
  })
  const admin = async (text: string) => {
    const client = new pg.Client({ host: folder, port, user: 'postgres', database: 'postgres' })
    await client.connect()
    try {
      return await client.query(text)
    } finally {
      await client.end()
    }
  }
  await expect
    .poll(
      () =>
        admin('select 1').then(
          () => true,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(true)
  await admin(`create role pillar_owner login createrole bypassrls password 'owner'`)
  await admin(`create role pillar_server login noinherit password 'server'`)
  await admin('create database pillar owner pillar_owner')
  const back = (...words: string[]) =>
    run('pgbackrest', [`--config=${config}`, '--stanza=pillar', ...words], asPostgres)
  return { data: data!, config, server, admin, back }
}

/** Writes a row every 50 ms, each acknowledged; when it stops answering it ends. @returns acknowledged rows with their time, newest last */
async function keepWriting(url: string, stop: { now: boolean }): Promise<{ id: number; at: number }[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const done: { id: number; at: number }[] = []
  try {
    while (!stop.now) {
      const { rows } = await client.query<{ id: number }>('insert into written default values returning id::int')
      done.push({ id: rows[0]!.id, at: Date.now() })
      await new Promise((wait) => setTimeout(wait, 50))
    }
  } catch {
    // Killed in the middle of a write.
  } finally {
    await client.end().catch(() => {})
  }
  return done
}

/** A pharmacy with scripts and a register of Schedule 8 medicines, and somebody who may sign in. @returns `name:password` */
async function fill(url: string, settings: Record<string, string>): Promise<string> {
  const asked = { env: { ...process.env, ...settings } }
  const cli = (name: string, ...words: string[]) =>
    run(
      process.execPath,
      [join(import.meta.dirname, '../../src/cli', `${name}.ts`), 'add', '--company', 'Drill', ...words],
      asked,
    )
  const pharmacy = await cli('pharmacy', '--name', 'Drill Pharmacy', '--postcode', '3121')
  const key = /Key \(.*\): (\S+)/.exec(pharmacy.stdout)?.[1] ?? ''
  const scripts = Array.from(
    { length: 500 },
    (_, at) => `S${at},2026-0${1 + (at % 6)}-04,P${at % 50},A,30,General,7.70`,
  )
  const patients = Array.from({ length: 50 }, (_, at) => `P${at},Ann${at},Drill`)
  const files = {
    patients: ['patient_id,first_name,last_name', ...patients].join('\n'),
    drugs: 'drug_id,name,atc,pack_size\nA,Rosuvastatin 10 mg tablet,C10AA07,30',
    scripts: ['script_id,dispensed_on,patient_id,drug_id,units,patient_type,patient_price', ...scripts].join('\n'),
    s8_products: productsFile([MORPHINE]),
    s8_transactions: entriesFile([1, 2, 3].map((number) => entryRow(number, 'supply'))),
  }
  const sent = await post(`${url}/api/etl/upload`, key, formOf(files, { data_source: 'canonical' }))
  const { uuid } = (await sent.json()) as { uuid: string }
  const body = JSON.stringify({ uuid })
  const state = async () => {
    const answer = await post(`${url}/api/etl/status`, key, body, 'application/json')
    return ((await answer.json()) as { etl_state: string }).etl_state
  }
  await expect.poll(state, { timeout: 60_000, interval: 500 }).toBe('COMPLETED')
  const names = ['--username', 'drill', '--email', 'drill@drill.example', '--first', 'Dee', '--last', 'Rill']
  const person = await cli('person', ...names, '--may', 'data_analytics')
  const password = /Password \(shown once\): (\S+)/.exec(person.stdout)?.[1] ?? ''
  // A row for the audit to be walked over.
  const signedIn = await fetch(`${url}/api/enterprise-login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'drill', password }),
  })
  expect(signedIn.status).toBe(200)
  return `drill:${password}`
}

const killAll = (server: ChildProcess) => process.kill(-server.pid!, 'SIGKILL')

describe.skipIf(!process.env.DEEP)('the restore drill', () => {
  it.skipIf(missing !== '')(
    `a host lost in the middle of a write is restored from the encrypted repository${missing}`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'pillar-drill-'))
      await chmod(folder, 0o755)
      const dataDir = join(folder, 'pillar')
      const port = await freePort()
      const [url, ownerUrl] = ['server', 'owner'].map(
        (who) => `postgres://pillar_${who}:${who}@127.0.0.1:${port}/pillar`,
      ) as [string, string]
      const host = await makeHost(folder, port)
      try {
        await host.back('stanza-create')
        const settings = {
          DATABASE_URL: url,
          DATABASE_OWNER_URL: ownerUrl,
          DATA_DIR: dataDir,
          UPLOAD_FREE_MB: '0',
        }
        const pillar = await startPillar(settings)
        const signIn = await fill(pillar.url, settings)
        await pillar.end('SIGTERM')
        await host.back('--type=full', 'backup')
        const before = await countRows(ownerUrl)
        const owner = new pg.Client({ connectionString: ownerUrl })
        await owner.connect()
        await owner.query(
          'create table written (id bigint generated always as identity, at timestamptz not null default clock_timestamp())',
        )
        await owner.end()
        const stop = { now: false }
        const writing = keepWriting(ownerUrl, stop)
        // Longer than archive_timeout: at least one part of the log has been archived by it, without anybody asking.
        await new Promise((wait) => setTimeout(wait, 75_000))
        killAll(host.server)
        const lostAt = Date.now()
        const acknowledged = await writing
        await rm(host.data, { recursive: true, force: true })
        const lines: string[] = []
        const say = (line: string) => void lines.push(line)
        let kept: { n: number; last: number } | undefined
        const result = await drill({
          ...{ config: host.config, stanza: 'pillar', url, ownerUrl, port: await freePort(), dataDir, signIn, say },
          look: async (restored) => {
            const client = new pg.Client({ connectionString: restored })
            await client.connect()
            const { rows } = await client.query<{ n: number; last: number }>(
              'select count(*)::int as n, max(id)::int as last from written',
            )
            await client.end()
            kept = rows[0]
          },
        })
        const found = acknowledged.filter(({ id }) => id <= kept!.last)
        const lostSeconds = (lostAt - found.at(-1)!.at) / 1000
        process.stdout.write(
          `${lines.join('\n')}\n${acknowledged.length} writes acknowledged, ${kept!.n} restored: the last ${lostSeconds.toFixed(1)} s are lost. ` +
            `Database after ${result.restoreSeconds} s, checked after ${result.totalSeconds} s.\n`,
        )
        expect(result.failures).toEqual([])
        expect(lines.join('\n')).toMatch(/verify-audit: [1-9]\d* rows/)
        expect(lines.join('\n')).toContain('verify-register: 3 entries')
        // None is missing in between, and what is lost is the end alone.
        expect(kept!.n).toBe(kept!.last)
        expect(found.length).toBeGreaterThan(0)
        expect(lostSeconds).toBeLessThan(300)
        expect(result.totalSeconds).toBeLessThan(3600)
        result.counts.delete('public.written')
        expect(result.counts).toEqual(before)
      } finally {
        if (host.server.exitCode === null && host.server.signalCode === null) killAll(host.server)
        await rm(folder, { recursive: true, force: true })
      }
    },
    600_000,
  )
})
