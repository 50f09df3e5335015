import { parseArgs } from 'node:util'
import { refuseAway } from '../db/away.ts'
import { migrate } from '../db/migrate.ts'
import { readEnv } from '../env.ts'
import { command, say } from './command.ts'

const USAGE = `npm run migrate
Brings the database of DATABASE_URL to this version's schema, as the login of DATABASE_OWNER_URL where that is another one, while the version
before may go on serving. Prints each migration and how long it took.`

await command(USAGE, async () => {
  parseArgs({ options: {} })
  const env = readEnv(process.env)
  const { DATABASE_URL, DATABASE_OWNER_URL } = env
  if (!DATABASE_URL)
    throw new Error(
      'Set DATABASE_URL. Without it Pillar runs a database of its own, which every start brings up to date.',
    )
  await refuseAway({ ...env, MIGRATE: 'on' })
  await migrate(
    DATABASE_OWNER_URL ?? DATABASE_URL,
    (line) => process.stderr.write(`${line}\n`),
    DATABASE_URL,
    (name, ms) => say(`${name}: ${(ms / 1000).toFixed(2)} s`),
  )
  say('The database is up to date.')
})
