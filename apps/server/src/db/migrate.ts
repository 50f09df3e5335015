import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { grantServing } from './roles.ts'

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Brings a database to the newest schema, forward only, under an advisory lock, as the owner. The job queue's own schema is created here
 * too, so that nothing is created while serving, and the login of `servingUrl` may take Pillar's roles afterwards.
 */
export async function migrate(ownerUrl: string, log: (line: string) => void, servingUrl = ownerUrl): Promise<void> {
  await runner({
    databaseUrl: ownerUrl,
    dir: migrationsFolder,
    direction: 'up',
    migrationsTable: 'migration',
    checkOrder: true,
    singleTransaction: true,
    logger: { debug: () => {}, info: () => {}, warn: log, error: log },
  })
  const boss = new PgBoss({ connectionString: ownerUrl, supervise: false, schedule: false })
  boss.on('error', (error) => log(String(error)))
  await boss.start()
  await boss.stop({ graceful: false })
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query('grant usage on schema pgboss to pillar_app, pillar_system, pillar_staff, pillar_queue')
    await client.query('grant select, insert on all tables in schema pgboss to pillar_app, pillar_system, pillar_staff')
    await client.query('grant select, insert, update, delete on all tables in schema pgboss to pillar_queue')
    await client.query('grant usage on all sequences in schema pgboss to pillar_queue')
  } finally {
    await client.end()
  }
  await grantServing(ownerUrl, servingUrl)
}

/** Names of the migrations this program was written for. */
export async function ownMigrations(): Promise<string[]> {
  const files = await readdir(migrationsFolder)
  return files.filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -'.sql'.length))
}
