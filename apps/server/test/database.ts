import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { openQueue } from '../src/api/queue.ts'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { jobs } from '../src/features/index.ts'
import { copyTemplate, makeTemplate, openCluster } from './cluster/cluster-database.ts'

/**
 * Lost with its folder after the run: nothing needs to survive a power cut, and the log need not be long. Two concurrent test files, each
 * with several Pillars, have more connections than one Pillar.
 */
const CARELESS = {
  ...{ fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_wal_size: '512MB' },
  max_connections: '200',
}

/**
 * Vitest's global set-up: one real PostgreSQL for the whole run, with a migrated template database that every test file clones.
 * TEST_DATABASE_URL uses your own server instead (its user must own databases and create roles), and CITUS_URL a cluster (npm run
 * test:citus).
 */
export default async function setup({
  provide,
}: {
  provide: (key: 'ownerUrl' | 'servingUrl', value: string) => void
}): Promise<() => Promise<void>> {
  // Commands and servers that tests start as processes of their own find their modules compiled, in Node's usual folder.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
  const { CITUS_URL } = process.env
  if (CITUS_URL) {
    const cluster = await openCluster(CITUS_URL)
    await makeTemplate(cluster, CITUS_URL, (line) => process.stderr.write(`${line}\n`))
    provide('ownerUrl', cluster.ownerUrl)
    provide('servingUrl', cluster.servingUrl)
    return async () => {}
  }
  const given = process.env.TEST_DATABASE_URL
  const folder = mkdtempSync(join(tmpdir(), 'pillar-test-'))
  const server = given ? null : await startEmbedded(folder, () => {}, CARELESS)
  const ownerUrl = given ?? server!.ownerUrl
  const servingUrl = given ?? server!.url
  await admin(ownerUrl, 'drop database if exists pillar_template with (force)', 'create database pillar_template')
  await migrate(databaseUrl(ownerUrl, 'pillar_template'), (line) => process.stderr.write(`${line}\n`), servingUrl)
  // Otherwise each test file would create them, one after the other.
  const queue = await openQueue(databaseUrl(servingUrl, 'pillar_template'), jobs, pino({ level: 'silent' }))
  await queue.stop()
  provide('ownerUrl', ownerUrl)
  provide('servingUrl', servingUrl)
  return async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export function databaseUrl(ownerUrl: string, name: string): string {
  const url = new URL(ownerUrl)
  url.pathname = `/${name}`
  return url.href
}

async function admin(ownerUrl: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Runs a statement outside every test's database, or in one it names: on a cluster, on each of its nodes as the superuser. */
export async function outside(ownerUrl: string): Promise<(statement: string, database?: string) => Promise<void>> {
  const { CITUS_URL } = process.env
  if (CITUS_URL) return (await openCluster(CITUS_URL)).everywhere
  return (statement, database = 'pillar_template') => admin(databaseUrl(ownerUrl, database), statement)
}

let cloned = 0

/** A fresh copy of the migrated template, for one test file. */
export async function cloneDatabase(ownerUrl: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `pillar_t${process.pid}_${Date.now().toString(36)}_${cloned++}`
  const { CITUS_URL } = process.env
  if (CITUS_URL) {
    const cluster = await openCluster(CITUS_URL)
    await copyTemplate(cluster, name)
    const drop = () => cluster.everywhere(`drop database if exists ${name} with (force)`)
    return { url: databaseUrl(ownerUrl, name), drop }
  }
  // Copying the files takes a sixth of the time of writing them to the log, because the checkpoint before it costs nothing here.
  await admin(ownerUrl, `create database ${name} template pillar_template strategy file_copy`)
  return {
    url: databaseUrl(ownerUrl, name),
    drop: () => admin(ownerUrl, `drop database if exists ${name} with (force)`),
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    ownerUrl: string
    servingUrl: string
  }
}
