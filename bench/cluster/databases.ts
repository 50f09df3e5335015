import pg from 'pg'
import { distribute } from '../../apps/server/src/db/distribute/distribute.ts'
import { rolesOfNode } from '../../apps/server/src/db/distribute/node.ts'
import { migrate } from '../../apps/server/src/db/migrate.ts'
import { eachNode, joinCluster } from '../../tools/cluster/nodes.ts'

const OWNER = 'pillar_owner'

interface Logins {
  owner: string
  serving: string
}

/** Two databases of one coordinator, both migrated: `plain` is entirely on the coordinator, `cluster` is spread over the workers. */
export async function makeDatabases(
  url: string,
  say: (line: string) => void,
): Promise<Record<'plain' | 'cluster', Logins>> {
  await eachNode(url, 'postgres', [
    'set citus.enable_create_role_propagation = off',
    'set citus.enable_alter_role_propagation = off',
    `create role ${OWNER} login createrole bypassrls`,
    'create role pillar_server login noinherit',
  ])
  const as = (login: string, database: string) => {
    const one = new URL(url)
    one.username = login
    one.pathname = `/${database}`
    return one.href
  }
  const made = (name: string) => ({ owner: as(OWNER, name), serving: as('pillar_server', name) })
  const [plain, cluster] = [made('bench_plain'), made('bench_cluster')]
  for (const { owner, serving } of [plain, cluster]) {
    await eachNode(url, 'postgres', [`create database ${new URL(owner).pathname.slice(1)} owner ${OWNER}`])
    await migrate(owner, () => {}, serving)
  }
  await eachNode(url, 'postgres', [rolesOfNode(OWNER)])
  await joinCluster(url, 'bench_cluster')
  await distribute(cluster.owner, say)
  return { plain, cluster }
}

/** Bytes of the tables a cluster would move, and of all tables: how much of a database the workers hold. */
export async function shareOfBytes(owner: string, tables: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: owner })
  await client.connect()
  try {
    const { rows } = await client.query<{ share: number }>(
      `select sum(pg_total_relation_size(oid)) filter (where relname = any ($1))::float8 / sum(pg_total_relation_size(oid)) as share
       from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
      [tables],
    )
    return rows[0]?.share ?? 0
  } finally {
    await client.end()
  }
}
