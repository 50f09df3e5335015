import { readdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { openClient } from './away.ts'
import { type Database, SAME_EVERYWHERE } from './database.ts'
import { refuseWrongOwners, repairFunctionOwners } from './migration/owners.ts'
import { type MigrationOptions, migrationsFolder, runMigrations } from './migration/run.ts'
import { refuseHalfThere } from './migration/whole.ts'
import { grantServing } from './roles.ts'

/**
 * Brings a database to the newest schema, forward only, under an advisory lock, as the owner, while the version before may go on serving
 * (decision 060). Also creates the job queue's schema, so that nothing is created while serving; lets the login of `servingUrl` take
 * Pillar's roles; and corrects functions that a restore left with too many rights.
 */
export async function migrate(
  ownerUrl: string,
  log: (line: string) => void,
  servingUrl = ownerUrl,
  applied?: MigrationOptions['applied'],
): Promise<void> {
  await runMigrations(ownerUrl, log, { applied })
  await repairFunctionOwners(ownerUrl, log)
  const boss = new PgBoss({
    ...{ connectionString: ownerUrl, options: SAME_EVERYWHERE, supervise: false, schedule: false },
  })
  boss.on('error', (error) => log(String(error)))
  await boss.start()
  await boss.stop({ graceful: false })
  await grantRights(ownerUrl, servingUrl)
}

/** Grants the serving roles their rights on the job queue, and those roles to the login of `servingUrl`. */
export async function grantRights(ownerUrl: string, servingUrl: string): Promise<void> {
  const client = await openClient({ connectionString: ownerUrl })
  try {
    // If several processes start at once, all but one wait: PostgreSQL refuses concurrent grants of the same right. Held until the
    // connection ends.
    await client.query(`select pg_advisory_lock(hashtextextended('pillar rights', 0))`)
    await client.query('grant usage on schema pgboss to pillar_app, pillar_system, pillar_staff, pillar_queue')
    await client.query('grant select, insert on all tables in schema pgboss to pillar_app, pillar_system, pillar_staff')
    await client.query('grant select, insert, update, delete on all tables in schema pgboss to pillar_queue')
    await client.query('grant usage on all sequences in schema pgboss to pillar_queue')
    await grantServing(client, servingUrl)
  } finally {
    await client.end()
  }
}

/** Whether the database has every migration this program was written for; it may have later ones. @throws the database's errors */
export async function schemaIsOurs(system: Database): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(system)
  const there = new Set(rows.map(({ name }) => name))
  const files = await readdir(migrationsFolder)
  return files.filter((file) => file.endsWith('.sql')).every((file) => there.has(file.slice(0, -'.sql'.length)))
}

/** PostgreSQL's codes when no migration has made the roles or tables yet. */
const NOTHING_THERE = /^(22023|42P01|42501|28000)$/

/**
 * For a start that does not migrate, and for commands.
 * @throws Error with what to do if the database lacks migrations of this version, or a restore was broken off or left functions with too
 *   many rights
 */
export async function refuseOldSchema(system: Database): Promise<void> {
  const ours = await schemaIsOurs(system).catch((error: NodeJS.ErrnoException) => {
    if (NOTHING_THERE.test(String(error.code))) return false
    throw error
  })
  if (!ours) throw new Error('The database lacks migrations of this version: run "npm run migrate" first.')
  await refuseHalfThere(system)
  await refuseWrongOwners(system)
}
