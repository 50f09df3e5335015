import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../apps/server/src/db/embedded/embedded.ts'
import { migrate } from '../apps/server/src/db/migrate.ts'

/** Writes the types of the tables from a freshly migrated database. Run it after changing a migration. */
const OUT = 'apps/server/src/db/schema.generated.ts'
const folder = mkdtempSync(join(tmpdir(), 'pillar-schema-'))
const database = await startEmbedded(folder, () => {})
try {
  await migrate(database.ownerUrl, (line) => process.stderr.write(`${line}\n`))
  const options = ['--numeric-parser', 'number', '--date-parser', 'string', '--default-schema', 'public']
  execFileSync(process.execPath, [
    'node_modules/kysely-codegen/dist/cli/bin.js',
    ...['--dialect', 'postgres', '--url', database.ownerUrl, '--out-file', OUT],
    ...[...options, '--include-pattern', 'public.*', '--type-mapping', '{"int8":"number"}'],
  ])
} finally {
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}
