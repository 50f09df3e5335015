import { parseArgs } from 'node:util'
import { listFaults } from '../gateways/error-report.queries.ts'
import type { Frame } from '../gateways/fault.ts'
import { asSystem, command, say } from './command.ts'

const USAGE = `npm run errors -- [--last NUMBER]
Prints the newest uncaught errors of server and screens, where no SENTRY_DSN is set; 20 unless told.
The database is DATABASE_URL, else the one of the Pillar running from DATA_DIR.`

await command(USAGE, async () => {
  const { values } = parseArgs({ options: { last: { type: 'string', default: '20' } } })
  const last = Number(values.last)
  if (!Number.isInteger(last) || last < 1) throw new Error(`--last is a whole number, not ${values.last}.\n\n${USAGE}`)
  await asSystem(async (system) => {
    const faults = await listFaults(system, last)
    for (const { at, source, name, code, call, status, release, frames } of faults) {
      const words = [at.toISOString(), source, name, code, call, status, release].filter((word) => word !== null)
      say(words.join('  '))
      for (const { file, line, column, function: within } of frames as unknown as Frame[]) {
        say(`    ${file}:${line}:${column} ${within}`)
      }
    }
    if (faults.length === 0) say('No errors are kept.')
  })
})
