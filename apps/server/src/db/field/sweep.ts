import { sql } from 'kysely'
import type { Database, Pools, Tx } from '../database.ts'
import { inScope } from '../scope.ts'
import { COLUMNS, type ColumnName, rowNameOf, SEALED, type SealedColumn } from './columns.ts'
import { blindIndex, type FieldKey, headerOf, sealField } from './envelope.ts'
import type { Keys } from './key-ring.ts'
import { sealedSource } from './written.ts'

/** Rows of one transaction: an upload of the pharmacy waits no longer than that. */
const CHUNK = 500

type Column = SealedColumn & { name: ColumnName }

interface Sweep {
  column: Column
  key: FieldKey
  /** The pharmacies up to this one are through. */
  after: number
}

/**
 * Seals again, with the key that seals now, whatever was sealed with an older one or never, pharmacy by pharmacy, from where the last round
 * was cut off. Any number of processes may do it at once, and each may be killed at any point. Columns that are through are passed over for
 * a day, but not when all is `whole`. @returns how many values were sealed
 */
export async function sweepFields(
  pools: Pools,
  keys: Keys,
  whole = false,
  columns: readonly Column[] = COLUMNS,
): Promise<number> {
  let sealed = 0
  for (const column of columns) {
    const key = await keys.writing(column.name)
    const after = key && !whole ? await begin(pools.system, key.id) : 0
    if (key && after !== null) sealed += await sweepColumn(pools, keys, { column, key, after })
  }
  return sealed
}

/** Where to go on; null when the column is through. */
async function begin(system: Database, id: number): Promise<number | null> {
  // A version before this one, beside it for a while, writes plain values.
  await sql`
    update data_key set swept_location = 0, swept_at = null where id = ${id} and swept_at < now() - interval '1 day'`.execute(
    system,
  )
  const { rows } = await sql<{ at: number; done: boolean }>`
    select swept_location as at, swept_at is not null as done from data_key where id = ${id}`.execute(system)
  return rows[0] && !rows[0].done ? rows[0].at : null
}

async function sweepColumn(pools: Pools, keys: Keys, { column, key, after }: Sweep): Promise<number> {
  const sum = column.place
    ? await sweepPlaces(pools, keys, { column, key, after })
    : await sweepRest(pools, keys, column, key)
  await sql`update data_key set swept_at = now() where id = ${key.id} and swept_at is null`.execute(pools.system)
  return sum
}

async function sweepPlaces(pools: Pools, keys: Keys, { column, key, after }: Sweep): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from location where id > ${after} order by id`.execute(
    pools.system,
  )
  let sum = 0
  for (const { id } of rows) {
    const done = await sweepPlace(pools, id, (tx, last) => sealChunk(tx, keys, { column, key, location: id, last }))
    await note(pools.system, key.id, id, done)
    sum += done
  }
  return sum
}

/** Once more when the pharmacy went to another company meanwhile: as the first one its rows were not seen. */
async function sweepPlace(
  pools: Pools,
  id: number,
  chunk: (tx: Tx, last: number) => ReturnType<typeof sealChunk>,
): Promise<number> {
  const companyOf = async () => {
    const { rows } = await sql<{
      company: number
    }>`select company_id as company from location where id = ${id}`.execute(pools.system)
    return rows[0]?.company
  }
  let sum = 0
  for (let company = await companyOf(), before: number | undefined; company !== before; company = await companyOf()) {
    const scope = { companyId: company ?? 0, locationIds: [id] }
    sum += await inChunks((last) => inScope(pools.app, scope, (tx) => chunk(tx, last)))
    before = company
  }
  return sum
}

async function sweepRest(pools: Pools, keys: Keys, column: Column, key: FieldKey): Promise<number> {
  const done = await inChunks((last) =>
    pools.system.transaction().execute((tx) => sealChunk(tx, keys, { column, key, location: null, last })),
  )
  await note(pools.system, key.id, 0, done)
  return done
}

async function inChunks(
  next: (last: number) => Promise<{ sealed: number; last: number; more: boolean }>,
): Promise<number> {
  let sum = 0
  for (let last = 0; ; ) {
    const chunk = await next(last)
    sum += chunk.sealed
    last = chunk.last
    if (!chunk.more) return sum
  }
}

/** Of several processes the one that is furthest counts. */
async function note(system: Database, id: number, location: number, sealed: number): Promise<void> {
  await sql`
    update data_key set swept_location = greatest(swept_location, ${location}), swept_rows = swept_rows + ${sealed}
    where id = ${id}`.execute(system)
}

interface Chunk {
  column: Column
  key: FieldKey
  /** The pharmacy whose rows they are; null where rows are nobody's. */
  location: number | null
  last: number
}

interface Found {
  at: number
  name: string
  plain: string | null
  sealed: Buffer | null
}

/** Locks, opens and seals the next rows of a pharmacy that are not sealed with the key. */
async function sealChunk(tx: Tx, keys: Keys, { column, key, location, last }: Chunk) {
  const [table, order, plain, sealed] = [
    sql.table(column.table),
    sql.ref(`t.${column.order}`),
    column.plain === null ? sql`null::text` : sql.ref(`t.${column.plain}`),
    sql.ref(`t.${column.sealed}`),
  ]
  const here = location === null ? sql`true` : sql`t.location_id = ${location}`
  const header = headerOf(key)
  const due = sql`(${plain} is not null or substring(${sealed} for ${header.length}) <> ${header})`
  // Found first and locked then: rows that another process has just sealed drop out, and must not look like the end.
  const found = await sql<{ at: number }>`
    select ${order} as at from ${table} t where ${here} and ${order} > ${last} and ${due}
    order by ${order} limit ${CHUNK}`.execute(tx)
  const next = { last: found.rows.at(-1)?.at ?? last, more: found.rows.length === CHUNK }
  const { rows } = await sql<Found>`
    select ${order} as at, ${rowNameOf(column, 't')} as name, ${plain} as plain, ${sealed} as sealed from ${table} t
    where ${here} and ${order} = any(${found.rows.map(({ at }) => at)}::bigint[]) and ${due}
    order by ${order} for update`.execute(tx)
  if (rows.length === 0) return { sealed: 0, ...next }
  const texts: (string | null)[] = []
  for (const row of rows) texts.push(await textOf(keys, column, row))
  const made = texts.map((text, at) => (text === null ? null : sealField(key, rows[at]!.name, text)))
  const { index } = column
  const indexes = texts.map((text) => (index && text !== null ? blindIndex(key, index.of(text)) : null))
  await sql`
    update ${table} t set ${sql.ref(column.sealed)} = n.sealed
      ${column.plain === null ? sql`` : sql`, ${sql.ref(column.plain)} = null`}
      ${index ? sql`, ${sql.ref(index.column)} = n.found` : sql``}
      ${column.written ? sql`, contact_source = ${sealedSource('t', column.name, sql.ref('n.sealed'))}` : sql``}
    from unnest(${rows.map(({ at }) => at)}::bigint[], ${made}::bytea[], ${indexes}::bytea[]) as n(at, sealed, found)
    where ${here} and ${order} = n.at`.execute(tx)
  if (column.name === SEALED.contact.name) await addContactIndexes(tx, key, rows, texts)
  return { sealed: rows.length, ...next }
}

/** Contacts are found by the new key too. */
async function addContactIndexes(tx: Tx, key: FieldKey, rows: readonly Found[], texts: readonly (string | null)[]) {
  const indexes = texts.map((text) => blindIndex(key, text ?? ''))
  await sql`
    insert into contact_index (index, contact_id)
    select n.index, n.id from unnest(${indexes}::bytea[], ${rows.map(({ at }) => at)}::bigint[]) as n(index, id)
    order by n.index on conflict do nothing`.execute(tx)
}

/** What an old version of Pillar wrote beside a sealed value is newer than that. */
async function textOf(keys: Keys, column: Column, { name, plain, sealed }: Found): Promise<string | null> {
  return (plain ?? (sealed && (await keys.open(column.name, name, sealed)))) || null
}
