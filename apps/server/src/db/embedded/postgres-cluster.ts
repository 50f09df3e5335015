import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PostgresProgram, requireEntry, runToEnd } from './postgres-program.ts'

/** Logins of the embedded database. Neither is a superuser; the superuser cannot log in at all. */
export const OWNER = 'pillar_owner'
export const SERVER = 'pillar_server'
export const DATABASE = 'pillar'

/** Passwords of the two logins. */
export interface Passwords {
  owner: string
  server: string
}

/** 24 random bytes each. */
export const newPasswords = (): Passwords => ({
  owner: randomBytes(24).toString('base64url'),
  server: randomBytes(24).toString('base64url'),
})

/**
 * Creates a cluster in `dir` whose superuser cannot log in, with the database and its two logins. It is built beside its final place and
 * moved there once complete, so that an interrupted start begins again.
 */
export async function createCluster(program: PostgresProgram, dir: string, passwords: Passwords): Promise<void> {
  const made = `${dir}.new`
  await rm(made, { recursive: true, force: true })
  await mkdir(made, { mode: 0o700 })
  if (program.as) await chown(made, program.as.uid, program.as.gid)
  requireEntry(program, made)
  await runToEnd(program, program.initdb, [
    `--pgdata=${made}`,
    '--username=postgres',
    // writeAccess decides who may log in; the superuser has no password and needs none, because nobody can log in as it.
    '--auth=reject',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
  ])
  await single(program, made, 'postgres', [
    ...loginStatements(passwords),
    `create database ${DATABASE} owner ${OWNER}`,
    CLOSE_SUPERUSER,
  ])
  await rename(made, dir)
}

/**
 * Brings a cluster of any version of Pillar up to this one: its superuser, formerly `pillar` with a known password, can no longer log in,
 * the owner takes over what it owned in the database, and both logins get these passwords. May be interrupted and run again.
 */
export async function reviseCluster(program: PostgresProgram, dir: string, passwords: Passwords): Promise<void> {
  requireEntry(program, dir)
  await single(program, dir, DATABASE, [
    ...loginStatements(passwords),
    GRANT_ROLES,
    HAND_OVER,
    `alter database ${DATABASE} owner to ${OWNER}`,
    CLOSE_SUPERUSER,
  ])
}

/** Sets who may connect, and how: the two logins by password (SCRAM), from this machine only. A name alone is never trusted. */
export async function writeAccess(program: PostgresProgram, dir: string, socket: boolean): Promise<void> {
  const way = socket ? 'local all all' : 'host all all 127.0.0.1/32'
  const path = join(dir, 'pg_hba.conf')
  await writeFile(path, `${way} scram-sha-256\n`, { mode: 0o600 })
  if (program.as) await chown(path, program.as.uid, program.as.gid)
}

/** Whether a folder holds the data of a PostgreSQL. */
export const isCluster = (dir: string): boolean => existsSync(join(dir, 'PG_VERSION'))

/** Runs statements as the superuser while no server runs, the only way to be the superuser. Nothing listens meanwhile. */
function single(program: PostgresProgram, dir: string, database: string, statements: readonly string[]): Promise<void> {
  const quiet = [
    '-c',
    'exit_on_error=on',
    '-c',
    'log_min_error_statement=panic',
    '-c',
    'password_encryption=scram-sha-256',
  ]
  const input = statements.map((statement) => `${statement};\n\n`).join('')
  return runToEnd(program, program.postgres, ['--single', '-j', '-D', dir, ...quiet, database], input)
}

function loginStatements({ owner, server }: Passwords): string[] {
  const ensure = (name: string) =>
    `do $$ begin if not exists (select from pg_roles where rolname = '${name}') then create role ${name}; end if; end $$`
  return [
    ensure(OWNER),
    ensure(SERVER),
    // Migrates, and is the operator's login: it makes roles and databases, and sees every row and other sessions' activity.
    `alter role ${OWNER} login nosuperuser createrole createdb bypassrls noreplication password '${owner}'`,
    `grant pg_signal_backend, pg_read_all_stats, pg_checkpoint to ${OWNER}`,
    // Serves. It may do nothing in its own name: each connection takes the one role it needs.
    `alter role ${SERVER} login nosuperuser nocreaterole nocreatedb nobypassrls noreplication noinherit password '${server}'`,
  ]
}

/** 10 is the superuser initdb made, whatever its name; as long as it exists it cannot be less. */
const CLOSE_SUPERUSER = `do $$ begin
  execute (select format('alter role %I nologin password null', rolname) from pg_roles where oid = 10);
end $$`

/** Roles made by migrations belong to the migrating login from now on. */
const GRANT_ROLES = `do $$ declare r name; begin
  for r in select rolname from pg_roles where rolname like 'pillar\\_%' and not rolcanlogin and not rolsuper loop
    execute format('grant %I to ${OWNER} with admin option', r);
  end loop;
end $$`

/** Gives the owner everything the superuser owns in this database; PostgreSQL's own objects (oids below 16384) stay. */
const HAND_OVER = `do $$ declare act text; begin
  for act in
    select format('alter schema %I owner to ${OWNER}', nspname) from pg_namespace where nspowner = 10 and oid >= 16384
    union all
    select format('alter %s %s owner to ${OWNER}',
             case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, c.oid::regclass)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where relowner = 10 and c.oid >= 16384 and relkind in ('r', 'p', 'v', 'm', 'S') and nspname !~ '^pg_'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i') and relkind = 'S')
    union all
    select format('alter type %s owner to ${OWNER}', t.oid::regtype) from pg_type t
    where typowner = 10 and t.oid >= 16384 and typrelid = 0 and typtype in ('e', 'd', 'r') 
    union all
    select format('alter routine %s owner to ${OWNER}', p.oid::regprocedure) from pg_proc p where proowner = 10 and p.oid >= 16384
  loop
    execute act;
  end loop;
end $$`
