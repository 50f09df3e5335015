import type pg from 'pg'

/** PostgreSQL 15 is the oldest one that runs Pillar's SQL. */
const OLDEST = 150_000

interface Place {
  /** As SQL writes it: in quotes if it has capitals, dots and the like. So is the login. */
  database: string
  encoding: string
  /** Its locale writes letters small otherwise than English does. */
  other_letters: boolean
  login: string
  version: number
  release: string
  trigrams: boolean
  /** The schema that already has the extension. */
  trigrams_in: string | null
  creates: boolean
  /** Or the first migration has made them already. */
  makes_roles: boolean
}

/**
 * Refuses, before anything changes, a migration that would break off half-way.
 * @throws Error that says what the server, the database or the login lacks and what to do, fit to print
 */
export async function refuseUnable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Place>(`
    select quote_ident(current_database()) as database, pg_encoding_to_char(d.encoding) as encoding, quote_ident(r.rolname) as login,
      lower('I') <> 'i' and to_regclass('migration') is null as other_letters,
      current_setting('server_version_num')::int as version, current_setting('server_version') as release,
      exists (select from pg_available_extensions where name = 'pg_trgm') as trigrams,
      (select extnamespace::regnamespace::text from pg_extension where extname = 'pg_trgm') as trigrams_in,
      has_database_privilege(d.oid, 'create') and has_schema_privilege('public', 'create') as creates,
      r.rolsuper or r.rolcreaterole or to_regclass('migration') is not null as makes_roles
    from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = current_user`)
  const found = rows[0]!
  const sentence = ofServer(found) ?? ofLogin(found)
  if (sentence) throw new Error(`${sentence} See docs/operations.md, PostgreSQL.`)
}

const inQuotes = (name: string) => (name.startsWith('"') ? name : `"${name}"`)

function ofServer({
  version,
  release,
  encoding,
  other_letters,
  database,
  login,
  trigrams,
  trigrams_in,
}: Place): string | null {
  if (version < OLDEST) return `Pillar needs PostgreSQL 15 or newer; this server is ${release}.`
  if (encoding !== 'UTF8')
    return `The database ${inQuotes(database)} has the encoding ${encoding}. Make it anew: create database ${database} owner ${login} encoding 'UTF8' template template0.`
  if (other_letters)
    return `In the locale of the database ${inQuotes(database)} a small I is no i, as in Turkish, so names and addresses would not be found. Make it anew: create database ${database} owner ${login} locale 'C.UTF-8' template template0.`
  if (trigrams_in !== null && trigrams_in !== 'public')
    return `The extension pg_trgm is in the schema "${trigrams_in}". Run in this database: alter extension pg_trgm set schema public.`
  if (!trigrams) return "The extension pg_trgm is not on this server: install PostgreSQL's contrib package."
  return null
}

function ofLogin({ database, login, creates, makes_roles }: Place): string | null {
  const cannot = `The login ${inQuotes(login)} cannot bring the database ${inQuotes(database)} up to date:`
  if (!creates)
    return `${cannot} it may not create tables in it. Put the login that owns the database in DATABASE_OWNER_URL.`
  if (!makes_roles) return `${cannot} it may not create roles. As an administrator run: alter role ${login} createrole.`
  return null
}
