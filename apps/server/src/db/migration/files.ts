import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { RunnerOption } from 'node-pg-migrate'

type Strategy = NonNullable<RunnerOption['migrationLoaderStrategies']>[number]

/** First line of a migration that must not run in a transaction: it holds nothing but one `create index concurrently`. */
export const NO_TRANSACTION = /^-- no transaction\b/

const INDEX = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i

/** How long a statement waits for a lock, while everybody who comes after waits behind it. */
export const LOCK_TIMEOUT = '2s'

/** A concurrent index build waits for transactions in progress, and nobody waits for it meanwhile. */
const CONCURRENT_LOCK_TIMEOUT = '30min'

/** What a migration step may query before it decides what to run. */
interface Builder {
  sql: (text: string) => void
  noTransaction: () => unknown
  db: { select: (query: { text: string; values: string[] }) => Promise<unknown[]> }
}

/**
 * Lets an owner without `bypassrls` see all rows, by a policy on every table with forced row-level security. Most managed servers give
 * nobody that attribute.
 */
export const LET_OWNER_SEE = `
  do $$
  declare hidden regclass; login pg_roles;
  begin
    select * into login from pg_roles where rolname = current_user;
    if login.rolsuper or login.rolbypassrls then return; end if;
    for hidden in
      select c.oid from pg_class c where c.relforcerowsecurity and not exists (
        select from pg_policy p where p.polrelid = c.oid and p.polname = 'owner' and login.oid = any (p.polroles))
    loop
      execute format('drop policy if exists owner on %s', hidden);
      execute format('create policy owner on %s to current_user using (true) with check (true)', hidden);
    end loop;
  end $$;`

/** Puts a table behind row-level security, and drops all its policies first: what follows in the same file may read or write its rows. */
const PROTECTS = /^\s*select pillar_protect\([^;]*\);/gm

/**
 * Reads our migrations. Each runs in its own transaction, so that no lock outlives its file. One that begins with `-- no transaction` runs
 * outside a transaction, and first removes an index of that name left half built by an earlier try.
 */
export const FILES: Strategy = {
  extensions: ['.sql'],
  loader: (paths: string[]) =>
    Promise.all(
      paths.map(async (path) => {
        const text = await readFile(path, 'utf8')
        const up = (builder: Builder) => {
          if (NO_TRANSACTION.test(text)) return alone(builder, path, text)
          builder.sql(text.replaceAll(PROTECTS, (protects) => protects + LET_OWNER_SEE))
          builder.sql(LET_OWNER_SEE)
        }
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
