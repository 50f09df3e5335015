import type pg from 'pg'
import { SERVING } from '../roles.ts'

/** The oldest Citus this was tested with. */
const CITUS = 13

/** Roles whose statements reach the workers: the serving roles, and the owner of the functions over all companies. */
const ROLES = [...SERVING, 'pillar_report'] as const

/**
 * What an administrator runs on every node, in any database. The coordinator connects to the workers under the role it is serving as, so
 * each role may log in there; on the coordinator too, because Citus copies the roles to the workers.
 */
export function rolesOfNode(owner: string): string {
  const made = [...ROLES, owner].map(
    (role) => `  if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if;`,
  )
  return [
    'do $$ begin',
    '  -- Of this node alone.',
    `  if exists (select from pg_settings where name = 'citus.enable_create_role_propagation') then`,
    `    perform set_config('citus.enable_create_role_propagation', 'off', true);`,
    `    perform set_config('citus.enable_alter_role_propagation', 'off', true);`,
    '  end if;',
    ...made,
    ...[...ROLES, owner].map((role) => `  alter role ${role} login;`),
    ...ROLES.map((role) => `  grant ${role} to ${owner};`),
    'end $$;',
  ].join('\n')
}

interface NodeAnswer {
  success: boolean
  result: string
}

/** What keeps this database from being spread over workers, each as a sentence that says what to do; empty when all is well. */
export async function troubleOfNodes(client: pg.Client): Promise<string[]> {
  const { rows: there } = await client.query<{ version: string }>(
    `select extversion as version from pg_extension where extname = 'citus'`,
  )
  const version = Number.parseInt(there[0]?.version ?? '', 10)
  if (!version)
    return [
      'This database knows nothing of Citus: run "create extension citus" in it on every node, as an administrator.',
    ]
  if (version < CITUS) return [`Citus ${there[0]?.version} is too old: ${CITUS} is needed.`]
  const { rows: workers } = await client.query<{ nodename: string; nodeport: number }>(
    `select nodename, nodeport from pg_dist_node where isactive and noderole = 'primary' and groupid > 0`,
  )
  if (workers.length === 0)
    return ['The cluster has no worker: run "select citus_add_node(\'<host>\', <port>)" for each, as an administrator.']
  const trouble: string[] = []
  const { rows: prepared } = await client.query<NodeAnswer>(
    `select success, result from run_command_on_all_nodes('show max_prepared_transactions')`,
  )
  if (prepared.some(({ success, result }) => !success || Number(result) === 0))
    trouble.push(
      'A node keeps no prepared transactions, or cannot be reached: set max_prepared_transactions to max_connections on every node, and restart it.',
    )
  const { rows: roles } = await client.query<NodeAnswer>('select success, result from run_command_on_all_nodes($1)', [
    `select count(*) from pg_roles where rolcanlogin and rolname in (${ROLES.map((role) => `'${role}'`)})`,
  ])
  if (roles.some(({ success, result }) => !success || Number(result) < ROLES.length))
    trouble.push(
      'A node lacks a role of Pillar that may log in: run what "npm run distribute -- --roles" prints on every node, as an administrator.',
    )
  return trouble
}
