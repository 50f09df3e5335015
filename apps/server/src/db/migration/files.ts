import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { RunnerOption } from 'node-pg-migrate'

type Strategy = NonNullable<RunnerOption['migrationLoaderStrategies']>[number]

/** First line of a migration that must not run in a transaction: it holds nothing but one `create index concurrently`. */
export const NO_TRANSACTION = /^-- no transaction\b/

const INDEX = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i

/** How long a statement lets others wait for it: a lock that is asked for stops everybody who comes after. */
export const LOCK_TIMEOUT = '2s'

/** An index made concurrently waits for transactions that are under way, and nobody waits for it meanwhile. */
const CONCURRENT_LOCK_TIMEOUT = '30min'

/** What a step of a migration may ask the database before it says what to run. */
interface Builder {
  sql: (text: string) => void
  noTransaction: () => unknown
  db: { select: (query: { text: string; values: string[] }) => Promise<unknown[]> }
}

/**
 * Reads our migrations. Each is one transaction of its own, so that no lock outlives its file; one that begins with `-- no transaction`
 * runs outside of one, and removes first what an earlier try left half built under the name of its index.
 */
export const FILES: Strategy = {
  extensions: ['.sql'],
  loader: (paths: string[]) =>
    Promise.all(
      paths.map(async (path) => {
        const text = await readFile(path, 'utf8')
        const up = (builder: Builder) => (NO_TRANSACTION.test(text) ? alone(builder, path, text) : builder.sql(text))
        return { id: basename(path, extname(path)), filePaths: [path], actions: { up, down: false } as never }
      }),
    ),
}

async function alone(builder: Builder, path: string, text: string): Promise<void> {
  const index = INDEX.exec(text)?.[1]
  if (!index) throw new Error(`${basename(path)} runs outside a transaction, and makes no index "if not exists".`)
  builder.noTransaction()
  const broken = await builder.db.select({
    text: 'select 1 from pg_index join pg_class on pg_class.oid = indexrelid where relname = $1 and not indisvalid',
    values: [index.toLowerCase()],
  })
  builder.sql(`set lock_timeout = '${CONCURRENT_LOCK_TIMEOUT}'`)
  if (broken.length > 0) builder.sql(`drop index concurrently "${index.toLowerCase()}"`)
  builder.sql(text)
  builder.sql(`set lock_timeout = '${LOCK_TIMEOUT}'`)
}
