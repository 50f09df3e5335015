import { parseArgs } from 'node:util'
import { SIXTY_DAY_LISTS, type SixtyDayListKind } from '@pillar/domain/sixty-day/list'
import { insertList, listLists } from '../features/sixty-day/list.queries.ts'
import { parseList } from '../features/sixty-day/list-files.ts'
import { asSystem, command, say, textOf } from './command.ts'

const USAGE = `npm run sixty-day-list -- items|fees|shortages|uptake FILE --by NAME --source TEXT
Puts a list in the place of the one that counts now, for 60 Day Dispensing. The file is CSV with these columns in its first line:
${Object.entries(SIXTY_DAY_LISTS)
  .map(([kind, columns]) => `  ${kind.padEnd(10)} ${columns.join(', ')}`)
  .join('\n')}
It is loaded completely or not at all; older lists are kept. Sums are calculated again within the hour. Without arguments: what was loaded.
The database is DATABASE_URL, else the one of the Pillar running from DATA_DIR.`

function options() {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { by: text, source: text },
  })
  if (positionals.length === 0) return null
  const [kind, file] = positionals
  const [by, source] = [values.by?.trim().slice(0, 100), values.source?.trim().slice(0, 500)]
  if (positionals.length !== 2 || !file || !(kind && kind in SIXTY_DAY_LISTS))
    throw new Error(`Give a kind and a file.\n\n${USAGE}`)
  if (!by || !source) throw new Error(`Say who loads it and where it is from.\n\n${USAGE}`)
  return { kind: kind as SixtyDayListKind, file, by, source }
}

await command(USAGE, async () => {
  const given = options()
  const content = given ? await textOf(given.file) : ''
  const rows = given ? parseList(given.kind, content).length : 0
  await asSystem(async (system) => {
    if (!given) {
      const found = await listLists(system)
      if (found.length === 0) say('No list was loaded: those that come with Pillar count, and none of shortages.')
      for (const one of found)
        say(
          `${one.id}  ${one.kind.padEnd(10)} ${one.row_count} rows, ${one.loaded_at.toISOString().slice(0, 16)}, by ${one.loaded_by}: ${one.source}`,
        )
      return
    }
    const { kind, by, source } = given
    const list = { kind, content, rows, by, source, now: new Date() }
    const id = await system.transaction().execute((tx) => insertList(tx, list))
    say(`List ${id} of ${kind} with ${rows} rows counts from now on. Sums are worked out again within the hour.`)
  })
})
