import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect } from 'vitest'
import { postgresPrograms, postgresUser } from '../../../../deploy/restored-node.ts'
import { entriesFile, entryRow, MORPHINE, productsFile } from '../register.ts'
import { formOf, post } from '../upload.ts'

const run = promisify(execFile)
/** Debian's pgBackRest 2.45 supports PostgreSQL up to 15. */
const programs = postgresPrograms(15)
const hasTool = spawnSync('pgbackrest', ['version'], { stdio: 'ignore' }).status === 0
/** What to install before trying a drill; empty if everything is there. */
export const missing = programs && hasTool ? '' : ': apt-get install pgbackrest postgresql-15 to run this'

/**
 * PostgreSQL servers on this machine with Pillar's logins and an empty database that archive their logs to one encrypted repository, set up
 * as in docs/operations.md.
 */
export interface Hosts {
  /** pgBackRest's configuration file, with a stanza for each. */
  config: string
  /** Runs a statement as the superuser of one of them. */
  admin: (stanza: string, text: string, database?: string) => Promise<pg.QueryResult>
  back: (stanza: string, ...words: string[]) => Promise<unknown>
  /** Kills all of them at once, as when the machine is lost, and removes their data. The repository stays. */
  lose: () => Promise<void>
}

/** @param ports by stanza; @param settings additional PostgreSQL settings */
export async function makeHosts(
  folder: string,
  ports: Readonly<Record<string, number>>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Hosts> {
  const as = await postgresUser()
  const asPostgres = { ...as, cwd: '/' }
  const own = async (path: string) => {
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (as) await chown(path, as.uid, as.gid)
    return path
  }
  const [repo, log, lock] = await Promise.all(['repo', 'log', 'lock'].map((name) => own(join(folder, name))))
  const dataOf = (stanza: string) => join(folder, `${stanza}.data`)
  const config = join(folder, 'pgbackrest.conf')
  const lines = [
    ...['[global]', `repo1-path=${repo}`, 'repo1-cipher-type=aes-256-cbc', 'repo1-cipher-pass=of-this-test-alone'],
    ...['repo1-retention-full=35', `log-path=${log}`, `lock-path=${lock}`, 'start-fast=y', 'compress-type=lz4'],
    'archive-timeout=60',
    ...Object.entries(ports).flatMap(([stanza, port]) => [
      ...[`[${stanza}]`, `pg1-path=${dataOf(stanza)}`, `pg1-port=${port}`, `pg1-socket-path=${folder}`],
    ]),
  ]
  await writeFile(config, `${lines.join('\n')}\n`)
  await chmod(config, 0o644)
  if (as) await chown(folder, as.uid, as.gid)
  const servers: ChildProcess[] = []
  const admin = async (stanza: string, text: string, database = 'postgres') => {
    const client = new pg.Client({ host: folder, port: ports[stanza]!, user: 'postgres', database })
    await client.connect()
    try {
      return await client.query(text)
    } finally {
      await client.end()
    }
  }
  for (const [stanza, port] of Object.entries(ports)) {
    const data = await own(dataOf(stanza))
    const init = ['-D', data, '-U', 'postgres', '--auth-local=trust', '--auth-host=scram-sha-256', '-E', 'UTF8']
    await run(join(programs!, 'initdb'), init, asPostgres)
    const all = {
      ...{ port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: folder, archive_mode: 'on' },
      ...{ archive_command: `pgbackrest --config=${config} --stanza=${stanza} archive-push %p`, archive_timeout: '60' },
      ...settings,
    }
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    servers.push(
      spawn(join(programs!, 'postgres'), ['-D', data, ...args], { ...asPostgres, stdio: 'ignore', detached: true }),
    )
    const answers = () => admin(stanza, 'select').then(Boolean, () => false)
    await expect.poll(answers, { timeout: 30_000 }).toBe(true)
    await admin(stanza, `create role pillar_owner login createrole bypassrls password 'owner'`)
    await admin(stanza, `create role pillar_server login noinherit password 'server'`)
    await admin(stanza, 'create database pillar owner pillar_owner')
  }
  return {
    ...{ config, admin },
    back: (stanza, ...words) => run('pgbackrest', [`--config=${config}`, `--stanza=${stanza}`, ...words], asPostgres),
    async lose() {
      for (const server of servers)
        if (server.exitCode === null && server.signalCode === null) process.kill(-server.pid!, 'SIGKILL')
      for (const stanza of Object.keys(ports)) await rm(dataOf(stanza), { recursive: true, force: true })
    },
  }
}

/** Adds a pharmacy through the command. @returns its key for uploads */
export async function addPharmacy(settings: Record<string, string>, name: string): Promise<string> {
  const { stdout } = await add(settings, 'pharmacy', '--name', name, '--postcode', '3121')
  return /Key \(.*\): (\S+)/.exec(stdout)?.[1] ?? ''
}

const add = (settings: Record<string, string>, what: string, ...words: string[]) =>
  run(
    process.execPath,
    [join(import.meta.dirname, '../../src/cli', `${what}.ts`), 'add', '--company', 'Drill', ...words],
    { env: { ...process.env, ...settings } },
  )

/** Sends 500 scripts of 50 patients, from January to June, or other files. @returns reads the state of the upload */
export async function sendScripts(
  url: string,
  key: string,
  besides: Record<string, string> = {},
): Promise<() => Promise<string>> {
  const scripts = Array.from(
    { length: 500 },
    (_, at) => `S${at},2026-0${1 + (at % 6)}-04,P${at % 50},A,30,General,7.70`,
  )
  const patients = Array.from({ length: 50 }, (_, at) => `P${at},Ann${at},Drill,${at} Canary St`)
  const files = {
    patients: ['patient_id,first_name,last_name,address', ...patients].join('\n'),
    drugs: 'drug_id,name,atc,pack_size\nA,Rosuvastatin 10 mg tablet,C10AA07,30',
    scripts: ['script_id,dispensed_on,patient_id,drug_id,units,patient_type,patient_price', ...scripts].join('\n'),
    ...besides,
  }
  const sent = await post(`${url}/api/etl/upload`, key, formOf(files, { data_source: 'canonical' }))
  const { uuid } = (await sent.json()) as { uuid: string }
  const body = JSON.stringify({ uuid })
  return async () => {
    const answer = await post(`${url}/api/etl/status`, key, body, 'application/json')
    return ((await answer.json()) as { etl_state: string }).etl_state
  }
}

/** Adds a person who may see figures, and signs them in. @returns their `name:password` and token */
export async function addPerson(
  url: string,
  settings: Record<string, string>,
): Promise<{ signIn: string; token: string }> {
  const names = ['--username', 'drill', '--email', 'drill@drill.example', '--first', 'Dee', '--last', 'Rill']
  const person = await add(settings, 'person', ...names, '--may', 'data_analytics')
  const password = /Password \(shown once\): (\S+)/.exec(person.stdout)?.[1] ?? ''
  const signedIn = await fetch(`${url}/api/enterprise-login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'drill', password }),
  })
  expect(signedIn.status).toBe(200)
  const { access_token: token } = (await signedIn.json()) as { access_token: string }
  return { signIn: `drill:${password}`, token }
}

/**
 * A pharmacy with scripts and a register of Schedule 8 medicines, and a person who has signed in once, which gives the audit a row to
 * verify.
 * @returns `name:password`
 */
export async function fill(url: string, settings: Record<string, string>): Promise<string> {
  const key = await addPharmacy(settings, 'Drill Pharmacy')
  const state = await sendScripts(url, key, {
    s8_products: productsFile([MORPHINE]),
    s8_transactions: entriesFile([1, 2, 3].map((number) => entryRow(number, 'supply'))),
  })
  await expect.poll(state, { timeout: 60_000, interval: 500 }).toBe('COMPLETED')
  return (await addPerson(url, settings)).signIn
}
