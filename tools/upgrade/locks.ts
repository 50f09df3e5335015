import { openClient } from '../../apps/server/src/db/away.ts'
import { MIGRATOR } from '../../apps/server/src/db/migration/run.ts'

const EVERY_MS = 20

/** Tables whose readers the migrating process is keeping out now, except those it has just made itself, which nobody else can see. */
const HELD = `
  select l.relation::regclass::text as name
  from pg_locks l join pg_stat_activity a using (pid) join pg_class c on c.oid = l.relation
  where a.application_name = $1 and l.mode = 'AccessExclusiveLock' and l.granted and c.relkind in ('r', 'p')
    and l.database = (select oid from pg_database where datname = current_database())`

/** How long the migrating process's longest lock kept others out of a table, seen from outside about every 20 ms. */
export async function watchLocks(url: string): Promise<() => Promise<{ table: string; ms: number }>> {
  const client = await openClient({ connectionString: url, application_name: 'pillar_upgrade_check' })
  const since = new Map<string, number>()
  let longest = { table: 'none', ms: 0 }
  let stopped = false
  const watching = (async () => {
    while (!stopped) {
      const now = performance.now()
      const { rows } = await client.query<{ name: string }>(HELD, [MIGRATOR])
      const held = new Set(rows.map(({ name }) => name))
      for (const table of since.keys()) if (!held.has(table)) since.delete(table)
      for (const table of held) {
        const ms = now - (since.get(table) ?? since.set(table, now).get(table)!)
        if (ms >= longest.ms) longest = { table, ms }
      }
      await new Promise((done) => setTimeout(done, EVERY_MS))
    }
  })()
  return async () => {
    stopped = true
    await watching
    await client.end()
    return longest
  }
}
