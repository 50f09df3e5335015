import { parseArgs } from 'node:util'
import { shownAction } from '@pillar/domain/audit/action-words'
import { isUuid } from '@pillar/domain/text/uuid'
import { sessionRows } from '../features/audit/session.queries.ts'
import { asSystem, command, say } from './command.ts'

const USAGE = `npm run seen -- SESSION
Everything a session did and looked at, oldest first, one line each; what a notice after a breach starts from. SESSION is the uuid that the
audit shows with each entry.
The database is DATABASE_URL, else the one of the Pillar running from DATA_DIR.`

await command(USAGE, async () => {
  const [session = '', ...more] = parseArgs({ allowPositionals: true }).positionals
  if (!isUuid(session) || more.length > 0)
    throw new Error('Which session? npm run seen -- UUID (the audit shows it with each entry).')
  const rows = await asSystem((system) => sessionRows(system, session.toLowerCase()))
  for (const row of rows) {
    const { reason, changes: _, ...facts } = row.detail
    const about = [
      row.object_name,
      row.object,
      row.company && `at ${row.company}`,
      reason && `because: ${reason}`,
      JSON.stringify(facts),
    ]
    say(
      [
        row.at,
        row.username ?? '',
        shownAction(row.action, row.detail),
        ...about.filter((one) => one && one !== '{}'),
      ].join('\t'),
    )
  }
  const places = new Set(rows.map(({ company }) => company).filter(Boolean))
  say(`${rows.length} entries in ${places.size} ${places.size === 1 ? 'company' : 'companies'}.`)
})
