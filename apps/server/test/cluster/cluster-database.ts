import pg from 'pg'
import { distribute } from '../../src/db/distribute/distribute.ts'
import { rolesOfNode } from '../../src/db/distribute/node.ts'
import { migrate } from '../../src/db/migrate.ts'

const OWNER = 'pillar_owner'
const SERVER = 'pillar_server'
const TEMPLATE = 'pillar_template'

/** A cluster for tests: databases are made, copied and dropped on all of its nodes alike. */
export interface TestCluster {
  ownerUrl: string
  servingUrl: string
  /** Runs a statement as the superuser of every node, in one of its databases. */
  everywhere: (statement: string, database?: string) => Promise<void>
}

/** The cluster whose coordinator `url` names, as its superuser. */
export async function openCluster(url: string): Promise<TestCluster> {
  const workers = await ask<{ nodename: string; nodeport: number }>(
    url,
    'select nodename, nodeport from pg_dist_node where groupid > 0 order by groupid',
  )
  if (workers.length === 0) throw new Error(`The coordinator that CITUS_URL names knows no workers: ${url}`)
  const ofWorkers = workers.map(({ nodename, nodeport }) => {
    const one = new URL(url)
    one.host = `${nodename}:${nodeport}`
    return one.href
  })
  const login = (name: string) => {
    const one = new URL(url)
    one.username = name
    return one.href
  }
  return {
    ownerUrl: login(OWNER),
    servingUrl: login(SERVER),
    async everywhere(statement, database = 'postgres') {
      for (const node of [url, ...ofWorkers]) {
        const one = new URL(node)
        one.pathname = `/${database}`
        await ask(one.href, statement, ALONE)
      }
    },
  }
}

/** Keeps statements about roles on each node from spreading to the other nodes: each gets them itself. */
const ALONE = '-c citus.enable_create_role_propagation=off -c citus.enable_alter_role_propagation=off'

async function ask<T>(url: string, statement: string, options?: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, options })
  await client.connect()
  try {
    return (await client.query(statement)).rows as T[]
  } finally {
    await client.end()
  }
}

/** Makes the template on every node: migrated as on one machine, then spread as an operator spreads it. */
export async function makeTemplate(cluster: TestCluster, url: string, log: (line: string) => void): Promise<void> {
  await cluster.everywhere(`drop database if exists ${TEMPLATE} with (force)`)
  for (const [name, rights] of [
    [OWNER, 'login createrole createdb bypassrls'],
    [SERVER, 'login noinherit'],
  ])
    await cluster.everywhere(
      `do $$ begin if not exists (select from pg_roles where rolname = '${name}') then create role ${name}; end if; alter role ${name} ${rights}; end $$`,
    )
  // Tests look at what sessions wait for, and end some, as the owner, who is a superuser on a single machine.
  await cluster.everywhere(`grant pg_read_all_stats, pg_signal_backend to ${OWNER}`)
  await cluster.everywhere(`create database ${TEMPLATE} owner ${OWNER}`)
  const database = (login: string) => {
    const one = new URL(login)
    one.pathname = `/${TEMPLATE}`
    return one.href
  }
  await migrate(database(cluster.ownerUrl), log, database(cluster.servingUrl))
  await cluster.everywhere(rolesOfNode(OWNER))
  await cluster.everywhere('create extension citus', TEMPLATE)
  const nodes = await ask<{ nodename: string; nodeport: number }>(
    url,
    'select nodename, nodeport from pg_dist_node where groupid > 0',
  )
  const at = new URL(url)
  await ask(database(url), `select citus_set_coordinator_host('${at.hostname}', ${at.port})`)
  for (const { nodename, nodeport } of nodes)
    await ask(database(url), `select citus_add_node('${nodename}', ${nodeport})`)
  await distribute(database(cluster.ownerUrl), log)
  // A database being copied may have no sessions, and Citus' own worker stays in any it may enter.
  await cluster.everywhere(`alter database ${TEMPLATE} allow_connections false`)
  await cluster.everywhere(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${TEMPLATE}'`)
}

/** Copies the template on every node. */
export async function copyTemplate(cluster: TestCluster, name: string): Promise<void> {
  await cluster.everywhere(`create database ${name} template ${TEMPLATE} strategy file_copy owner ${OWNER}`)
}
