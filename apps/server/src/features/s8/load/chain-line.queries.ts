import { type RawBuilder, sql } from 'kysely'

/** An entry's content, in the order in which it is chained. */
const CONTENT = [
  'product_id',
  'entry_type',
  'occurred_at',
  'party_name',
  'party_address',
  'patient_id',
  'quantity_in',
  'quantity_out',
  'stated_balance',
  'counted',
  'stated_check',
  'reference',
  'prescribed',
  'pharmacist',
  'intern',
  'second_signer',
  'doctor',
  'note',
  'refers_to',
] as const

/** All columns of an entry except its hash. */
export const ENTRY_COLUMNS = [
  'location_id',
  'seq',
  'source',
  'number',
  'product_name',
  ...CONTENT,
  'received_at',
  'upload_id',
] as const

const TIMES = new Set<string>(['occurred_at', 'received_at'])

// Instants as seconds: their text form depends on a session's settings.
const textOf = (table: string) => (column: string) =>
  TIMES.has(column) ? sql`extract(epoch from ${sql.ref(`${table}.${column}`)})` : sql.ref(`${table}.${column}`)

/** An entry's content as one comparable value. @param occurredAt the instant it happened; its column by default */
export const contentOf = (
  table: string,
  occurredAt = sql.ref(`${table}.occurred_at`) as RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`row(${sql.join(CONTENT.map((column) => (column === 'occurred_at' ? sql`extract(epoch from ${occurredAt})` : textOf(table)(column))))})::text`

/** The text hashed for an entry: everything it holds, including its place in the chain, quoted as PostgreSQL writes a row. */
export const lineOf = (table: string): RawBuilder<unknown> =>
  sql`row(${sql.join(ENTRY_COLUMNS.map(textOf(table)))})::text`

/** An entry's content as JSON, for storing a contradiction. */
export const jsonOf = (table: string): RawBuilder<unknown> =>
  sql`jsonb_build_object(${sql.join(CONTENT.flatMap((column) => [sql.lit(column), sql.ref(`${table}.${column}`)]))})`
