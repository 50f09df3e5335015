import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** The result of sampling a busy PostgreSQL and its processes. */
export interface Profile {
  /** Seconds that connections spent working, by their statement's step; most first. */
  steps: { step: string; seconds: number }[]
  /** Seconds of processor time: Pillar's own process, and all of PostgreSQL's. */
  server: number
  database: number
}

const EVERY_MS = 20
const PROCESSES_MS = 1_000

/** Steps of a load by the beginning of their statements; the first match counts. */
const STEPS: readonly (readonly [RegExp, string])[] = [
  [/^copy stage_/, 'staging copy'],
  [/^\s*(?:create temp table|delete from|analyze) "?stage_/, 'staging, repeated ids and statistics'],
  [/^\s*with unknown/, 'references to unknown people and products'],
  [/"?map_(?:patient|drug|prescriber|prescription)"? (?:on commit|$)|^analyze "map_/, 'id maps'],
  [/^\s*insert into "?script"?\b|changed_script|resolved_script|touched_line/, 'script merge'],
  [/^\s*insert into "(?:patient|drug|prescriber|prescription)"/, 'merge of people and products'],
  [/^\s*update patient/, 'patient types'],
  [
    /array_agg\(s\.patient_id\)|^\s*(?:insert into|delete from) "?(?:metric_\w+|patient_measure|script_lines)/,
    'figures',
  ],
  [/pgboss/, 'job queue'],
  [/^\s*(?:commit|COMMIT)/, 'commit'],
]

/** The beginning of an insert whose rows are counted (`insertRows`). */
const COUNTED = /^\s*with done as \(\s*/

function stepOf(query: string): string {
  const text = query.replace(COUNTED, '')
  return STEPS.find(([pattern]) => pattern.test(text))?.[1] ?? 'everything else'
}

/**
 * Samples every 20 ms what the connections of a database are doing, and the processor time of the server and of PostgreSQL, until stopped.
 * A connection waiting for its client (a COPY without rows) does not count as working.
 * @param serverPid Pillar's process; PostgreSQL's are found by their parent
 */
export async function watchDatabase(databaseUrl: string, serverPid: number): Promise<() => Promise<Profile>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const own = rows[0]?.pid ?? 0
  const before = processorTime(serverPid, own)
  const seconds = new Map<string, number>()
  let going = true
  let last = performance.now()
  let read = last
  const look = async () => {
    while (going) {
      const { rows: busy } = await client.query<{ query: string }>(
        `select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
           and state = 'active' and wait_event_type is distinct from 'Client'`,
      )
      const now = performance.now()
      for (const { query } of busy) {
        const step = stepOf(query)
        seconds.set(step, (seconds.get(step) ?? 0) + (now - last) / 1000)
      }
      last = now
      // Reading all processes costs the machine more than the query above.
      if (now - read > PROCESSES_MS) {
        read = now
        for (const [pid, time] of processorTime(serverPid, own)) latest.set(pid, time)
      }
      await new Promise((passed) => setTimeout(passed, EVERY_MS))
    }
  }
  const latest = new Map(before)
  const looking = look()
  return async () => {
    going = false
    await looking
    for (const [pid, time] of processorTime(serverPid, own)) latest.set(pid, time)
    await client.end()
    const used = (pid: number) => (latest.get(pid) ?? 0) - (before.get(pid) ?? 0)
    const others = [...latest.keys()].filter((pid) => pid !== serverPid)
    return {
      steps: [...seconds].map(([step, time]) => ({ step, seconds: time })).sort((a, b) => b.seconds - a.seconds),
      server: used(serverPid),
      database: others.reduce((sum, pid) => sum + used(pid), 0),
    }
  }
}

/**
 * Processor seconds of the server and of every process below it except `except`, by process id; a postmaster is its child, the backends are
 * the postmaster's.
 */
function processorTime(serverPid: number, except: number): Map<number, number> {
  const parents = new Map<number, { parent: number; time: number }>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      parents.set(Number(name), { parent: Number(fields[1]), time: (Number(fields[11]) + Number(fields[12])) / 100 })
    } catch {
      // It has ended meanwhile.
    }
  }
  const below = (pid: number): boolean =>
    pid === serverPid || (parents.has(pid) && below(parents.get(pid)?.parent ?? 0))
  return new Map([...parents].filter(([pid]) => pid !== except && below(pid)).map(([pid, { time }]) => [pid, time]))
}
