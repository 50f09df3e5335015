import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openPools } from '../../src/db/database.ts'
import { runningEmbedded } from '../../src/db/embedded/embedded.ts'
import { DATABASE } from '../../src/db/embedded/postgres-cluster.ts'
import { findProgram } from '../../src/db/embedded/postgres-program.ts'
import { ensureCompany } from '../../src/features/location/location.queries.ts'
import { createLogin } from '../../src/features/session/login.queries.ts'
import { type RunningPillar, startPillar } from '../running-pillar.ts'

const MB = 1024 ** 2
/** An empty database, its log, and room for a test's writes. */
const DISK_MB = 512
const SECRET = 'a-secret-of-sixteen-or-more'
const PASSWORD = 'a password for the small disk'
const USERNAME = 'smalldisk'
const JSON_TYPE = { 'content-type': 'application/json' }

export interface FullDisk {
  pillar: RunningPillar
  freeMb: () => number
  /** Fills the free space except `leave` megabytes. */
  fill: (leave: number) => void
  /** Frees it again. */
  free: () => void
  /** A connection of the database's owner; it may break. */
  owner: () => Promise<pg.Client>
  /** Ends Pillar and its database, reads every table and index of it, and returns any damage. */
  damage: () => Promise<string[]>
  close: () => Promise<void>
}

/** Pillar with one person on a disk of half a gigabyte in memory. Null if no such disk can be mounted: that requires root. */
export async function startOnSmallDisk(): Promise<FullDisk | null> {
  const disk = mkdtempSync(join(tmpdir(), 'pillar-full-'))
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    rmSync(disk, { recursive: true })
    return null
  }
  chmodSync(disk, 0o711)
  const data = join(disk, 'data')
  const filler = join(disk, 'filler')
  const unmount = () => {
    execFileSync('/bin/umount', ['-l', disk])
    rmSync(disk, { recursive: true })
  }
  const pillar = await startPillar({
    DATA_DIR: data,
    LOG_LEVEL: 'error',
    PUBLIC_URL: 'http://localhost:3000',
    SMS_GATEWAY: 'http',
    SMS_HTTP_URL: 'http://127.0.0.1:9/?to={to}&text={text}',
    SMS_HTTP_SECRET: SECRET,
    SMS_SENDER: '+61400000000',
  }).catch((error) => {
    unmount()
    throw error
  })
  await addPerson((await runningEmbedded(data))!)
  let running = true
  const end = async () => {
    if (running) await pillar.end('SIGTERM')
    running = false
  }
  const freeMb = () => {
    const { bavail, bsize } = statfsSync(disk)
    return (bavail * bsize) / MB
  }
  return {
    pillar,
    freeMb,
    fill(leave) {
      const file = openSync(filler, 'a')
      for (const piece = Buffer.alloc(MB); freeMb() > leave; ) writeSync(file, piece)
      closeSync(file)
    },
    free: () => rmSync(filler, { force: true }),
    async owner() {
      const client = new pg.Client({ connectionString: (await runningEmbedded(data, 'owner'))! })
      client.on('error', () => {})
      await client.connect()
      return client
    },
    async damage() {
      await end()
      return damageOf(join(data, 'postgres'))
    },
    async close() {
      await end()
      if (existsSync(disk)) unmount()
    },
  }
}

async function addPerson(url: string): Promise<void> {
  const pools = openPools(url, () => {}, 1)
  const { id: companyId } = await ensureCompany(pools.system, { name: 'Small Disk', country: 'AU' })
  const names = { username: USERNAME, email: 'small@disk.example', first_name: 'Small', last_name: 'Disk' }
  await createLogin(pools.system, { companyId, ...names, flags: ['data_analytics'], password: PASSWORD })
  await pools.close()
}

/** The checks of `pg_amcheck --heapallindexed`, by the one login that may run them: with only PostgreSQL running and nobody else connected. */
async function damageOf(cluster: string): Promise<string[]> {
  const { postgres, as } = await findProgram()
  const asked = [
    'create extension amcheck',
    `select format('%s: %s', c.oid::regclass, v.msg) as damage from pg_class c, verify_heapam(c.oid) v
     where c.relkind in ('r', 't', 'm') and c.relpersistence = 'p'`,
    `select count(bt_index_check(i.indexrelid, true)::text) as checked from pg_index i
     join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
     where a.amname = 'btree' and c.relpersistence = 'p' and c.relkind = 'i' and i.indisvalid`,
  ]
  const told = execFileSync(postgres, ['--single', '-j', '-D', cluster, DATABASE], {
    ...as,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    cwd: '/',
    input: asked.map((one) => `${one};\n\n`).join(''),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 64 * MB,
  })
  if (!/checked = "\d{3,}"/.test(told)) return [`The indexes were not all read: ${told.slice(-2000)}`]
  return [...told.matchAll(/damage = "(.*)"/g)].map((found) => found[1]!)
}

export interface Answer {
  status: number
  ms: number
  text: string
}

/** The answer of a call; 0 if the connection broke. */
export async function ask(url: string, path: string, body: unknown = {}, token = ''): Promise<Answer> {
  const began = performance.now()
  const headers = { ...JSON_TYPE, ...(token ? { authorization: `Bearer ${token}` } : {}) }
  try {
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, text: await answer.text(), ms: performance.now() - began }
  } catch (error) {
    return { status: 0, text: String(error), ms: performance.now() - began }
  }
}

/** @returns the access token */
export async function signIn(url: string): Promise<string> {
  const { text } = await ask(url, '/api/enterprise-login', { name: USERNAME, password: PASSWORD })
  return (JSON.parse(text) as { access_token: string }).access_token
}

/** A patient's text, which is stored before it is answered. @param size its length in letters, no two parts of which are alike */
export function webhook(url: string, id: string, size: number): Promise<Answer> {
  const letters = Array.from({ length: size }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('')
  const query = new URLSearchParams({ secret: SECRET, from: '+61411111111', to: '+61400000000', text: letters, id })
  return ask(url, `/webhooks/sms/http/reply?${query}`)
}
