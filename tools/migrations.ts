import { readdirSync, readFileSync } from 'node:fs'
import { breachesOf } from './migration/lint.ts'

/** Checks that new migrations suit an installation that goes on serving: docs/decisions/060. Prints every breach. */
const FOLDER = 'apps/server/migrations'

/** Migrations up to this one predate the rule, when all processes were stopped for an upgrade. */
const HISTORY = 186

const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql') && Number.parseInt(file, 10) > HISTORY)
const breaches: string[] = []
for (const file of files.sort()) breaches.push(...(await breachesOf(file, readFileSync(`${FOLDER}/${file}`, 'utf8'))))
if (breaches.length > 0) {
  process.stderr.write(`${breaches.join('\n')}\nSee docs/decisions/060-versions-side-by-side.md\n`)
  process.exit(1)
}
process.stdout.write(`${files.length} new migrations that an older version can live with\n`)
