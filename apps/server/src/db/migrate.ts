import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { PgBoss } from 'pg-boss'

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Brings a database to the newest schema, forward only, under an advisory lock. Needs the owner's connection.
 * The job queue's own schema is created here too, so that nothing is created while serving.
 */
export async function migrate(ownerUrl: string, log: (line: string) => void): Promise<void> {
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
    await client.query('grant usage on schema pgboss to pillar_app, pillar_system')
    await client.query('grant select, insert on all tables in schema pgboss to pillar_app, pillar_system')
  } finally {
    await client.end()
  }
}
