import pg from 'pg'

/** The disk space of a network. */
export interface NetworkSize {
  scripts: number
  pharmacies: number
  /** The whole database, including indexes, in bytes. */
  bytes: number
  /** Each table with its indexes, largest first. */
  tables: readonly { table: string; rows: number; bytes: number }[]
}

/** Counts the scripts of a database and measures its tables. */
export async function sizeOf(databaseUrl: string): Promise<NetworkSize> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const whole = await client.query<Omit<NetworkSize, 'tables'>>(`
      select count(*)::float8 as scripts, count(distinct location_id)::float8 as pharmacies,
        pg_database_size(current_database())::float8 as bytes
      from script`)
    const { rows } = await client.query<NetworkSize['tables'][number]>(`
      select c.relname as table, greatest(c.reltuples, 0)::float8 as rows, pg_total_relation_size(c.oid)::float8 as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
      order by bytes desc limit 8`)
    const [all] = whole.rows
    if (!all?.scripts) throw new Error('The network is not loaded: it has no scripts.')
    return { ...all, tables: rows }
  } finally {
    await client.end()
  }
}
