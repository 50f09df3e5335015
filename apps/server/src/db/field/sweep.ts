import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Pools, Tx } from '../database.ts'
import { inScope } from '../scope.ts'
import { COLUMNS, type ColumnName, rowNameOf, SEALED, type SealedColumn } from './columns.ts'
import { blindIndex, type FieldKey, headerOf, sealField } from './envelope.ts'
import type { Keys } from './key-ring.ts'
import { sealedSource } from './written.ts'

/** Rows per transaction, so that an upload of the pharmacy waits no longer than one takes. */
const CHUNK = 500
/** How long after another transaction held rows they are tried again. */
const LOOK_AGAIN_MS = 500
/** At most this many tries in a row, five minutes in all: no upload holds rows for longer. */
const MOST_LOOKS = 600

type Column = SealedColumn & { name: ColumnName }

interface Sweep {
  column: Column
  key: FieldKey
  /** The pharmacies up to this one are done. */
  after: number
}

/**
 * Reseals, with the key that seals now, every value sealed with an older key or never, pharmacy by pharmacy, starting where the last round
 * broke off. Any number of processes may do it at once, and each may be killed at any point. Finished columns are skipped for a day, unless
 * all must be `whole`. Values that do not open stay as they are. @returns how many were sealed, and how many stay unopened
 */
export async function sweepFields(
  pools: Pools,
  keys: Keys,
  whole = false,
  columns: readonly Column[] = COLUMNS,
): Promise<Swept> {
  let sum = NOTHING
  for (const column of columns) {
    const key = await keys.writing(column.name)
    const after = key && !whole ? await begin(pools.system, key.id) : 0
    if (key && after !== null) sum = plus(sum, await sweepColumn(pools, keys, { column, key, after }))
  }
  return sum
}

/** The outcome for values sealed with an older key. */
interface Swept {
  sealed: number
  /** They do not open: only their source can write them anew. */
  altered: number
}

/** The outcome of one transaction. */
interface SweptChunk extends Swept {
  /** The last row before which none was skipped. */
  last: number
  /** Whether there may be more rows. */
  more: boolean
  /** Whether another transaction held some of them. */
  held: boolean
}

const NOTHING: Swept = { sealed: 0, altered: 0 }
const plus = (one: Swept, other: Swept): Swept => ({
  sealed: one.sealed + other.sealed,
  altered: one.altered + other.altered,
})

/** Where to go on; null when the column is done. */
async function begin(system: Database, id: number): Promise<number | null> {
  // An earlier version running alongside for a while writes plain values.
  await sql`
    update data_key set swept_location = 0, swept_at = null, altered = false where id = ${id} and swept_at < now() - interval '1 day'`.execute(
    system,
  )
  const { rows } = await sql<{ at: number; done: boolean }>`
    select swept_location as at, swept_at is not null as done from data_key where id = ${id}`.execute(system)
  return rows[0] && !rows[0].done ? rows[0].at : null
}

async function sweepColumn(pools: Pools, keys: Keys, { column, key, after }: Sweep): Promise<Swept> {
  const sum = column.place
    ? await sweepPlaces(pools, keys, { column, key, after })
    : await sweepRest(pools, keys, column, key)
  // A process that began at the first pharmacy has seen them all.
  await sql`
    update data_key set swept_at = coalesce(swept_at, now()), altered = altered and ${after > 0} or ${sum.altered > 0}
    where id = ${key.id}`.execute(pools.system)
  return sum
}

async function sweepPlaces(pools: Pools, keys: Keys, { column, key, after }: Sweep): Promise<Swept> {
  const { rows } = await sql<{ id: number }>`select id from location where id > ${after} order by id`.execute(
    pools.system,
  )
  let sum = NOTHING
  for (const { id } of rows) {
    const done = await sweepPlace(pools, id, (tx, last) => sealChunk(tx, keys, { column, key, location: id, last }))
    await note(pools.system, key.id, id, done)
    sum = plus(sum, done)
  }
  return sum
}

/** Repeated if the pharmacy moved to another company meanwhile: its rows were not visible under the first one. */
async function sweepPlace(
  pools: Pools,
  id: number,
  chunk: (tx: Tx, last: number) => Promise<SweptChunk>,
): Promise<Swept> {
  const companyOf = async () => {
    const { rows } = await sql<{
      company: number
    }>`select company_id as company from location where id = ${id}`.execute(pools.system)
    return rows[0]?.company
  }
  let sum = NOTHING
  for (let company = await companyOf(), before: number | undefined; company !== before; company = await companyOf()) {
    const scope = { companyId: company ?? 0, locationIds: [id] }
    sum = plus(sum, await inChunks((last) => inScope(pools.app, scope, (tx) => chunk(tx, last))))
    before = company
  }
  return sum
}

async function sweepRest(pools: Pools, keys: Keys, column: Column, key: FieldKey): Promise<Swept> {
  const done = await inChunks((last) =>
    pools.system.transaction().execute((tx) => sealChunk(tx, keys, { column, key, location: null, last })),
  )
  await note(pools.system, key.id, 0, done)
  return done
}

async function inChunks(next: (last: number) => Promise<SweptChunk>): Promise<Swept> {
  let sum = NOTHING
  for (let last = 0, looks = 0; ; ) {
    const chunk = await next(last)
    looks = chunk.last === last && chunk.held ? looks + 1 : 0
    if (looks > MOST_LOOKS)
      throw new Error('rows to be sealed again are held by somebody else: they come in the next round')
    sum = plus(sum, chunk)
    last = chunk.last
    if (!chunk.more) return sum
    if (chunk.held) await sleep(LOOK_AGAIN_MS)
  }
}

/** Of several processes, the furthest counts. */
async function note(system: Database, id: number, location: number, { sealed, altered }: Swept): Promise<void> {
  await sql`
    update data_key set swept_location = greatest(swept_location, ${location}), swept_rows = swept_rows + ${sealed},
      altered = altered or ${altered > 0}
    where id = ${id}`.execute(system)
}

interface Chunk {
  column: Column
  key: FieldKey
  /** The pharmacy the rows belong to; null if to none. */
  location: number | null
  last: number
}

interface Found {
  at: number
  name: string
  plain: string | null
  sealed: Buffer | null
}

interface Opened {
  at: number
  name: string
  /** Null for a blank. */
  text: string | null
}

/** The SQL a chunk applies to the column's table `t`. */
interface Parts {
  table: RawBuilder<unknown>
  order: RawBuilder<number>
  plain: RawBuilder<string | null>
  sealed: RawBuilder<Buffer | null>
  /** Which rows to look at, and which of them are not sealed with the key. */
  here: RawBuilder<boolean>
  due: RawBuilder<boolean>
}

function partsOf({ column, key, location }: Chunk): Parts {
  const plain = column.plain === null ? sql<null>`null::text` : sql.ref<string | null>(`t.${column.plain}`)
  const sealed = sql.ref<Buffer | null>(`t.${column.sealed}`)
  const header = headerOf(key)
  return {
    ...{ table: sql.table(column.table), order: sql.ref<number>(`t.${column.order}`), plain, sealed },
    here: location === null ? sql`true` : sql`t.location_id = ${location}`,
    due: sql`(${plain} is not null or substring(${sealed} for ${header.length}) <> ${header})`,
  }
}

/**
 * Locks the next due rows of a pharmacy. Rows locked elsewhere are left for later: waiting for an upload while holding rows could deadlock
 * with it.
 */
async function lockDue(tx: Tx, { column, last }: Chunk, { table, order, plain, sealed, here, due }: Parts) {
  // Found first and locked then: rows another process has just sealed drop out, and must not look like the end.
  const found = await sql<{ at: number }>`
    select ${order} as at from ${table} t where ${here} and ${order} > ${last} and ${due}
    order by ${order} limit ${CHUNK}`.execute(tx)
  const all = found.rows.map(({ at }) => at)
  const { rows } = await sql<Found>`
    select ${order} as at, ${rowNameOf(column, 't')} as name, ${plain} as plain, ${sealed} as sealed from ${table} t
    where ${here} and ${order} = any(${all}::bigint[]) and ${due}
    order by ${order} for no key update skip locked`.execute(tx)
  const own = new Set(rows.map(({ at }) => at))
  const others = await sql<{ first: number | null }>`
    select min(${order}) as first from ${table} t
    where ${here} and ${order} = any(${all.filter((at) => !own.has(at))}::bigint[]) and ${due}`.execute(tx)
  const first = others.rows[0]?.first ?? null
  const end = first === null ? (all.at(-1) ?? last) : first - 1
  return { rows, next: { last: end, more: first !== null || all.length === CHUNK, held: first !== null } }
}

/** Locks, opens and seals the next rows of a pharmacy that are not sealed with the key. */
async function sealChunk(tx: Tx, keys: Keys, chunk: Chunk): Promise<SweptChunk> {
  const { column, key } = chunk
  const parts = partsOf(chunk)
  const { rows, next } = await lockDue(tx, chunk, parts)
  const opened: Opened[] = []
  let altered = 0
  for (const { at, name, plain, sealed } of rows) {
    // A plain value that an older version of Pillar wrote beside a sealed one is the newer.
    const text = plain ?? (sealed && (await keys.openIfWhole(column.name, name, sealed)))
    if (plain !== null || text !== null) opened.push({ at, name, text: text || null })
    // Those further on will be found again.
    else if (at <= next.last) altered++
  }
  const done = { sealed: opened.length, altered, ...next }
  if (opened.length === 0) return done
  const made = opened.map(({ name, text }) => (text === null ? null : sealField(key, name, text)))
  const { index } = column
  const indexes = opened.map(({ text }) => (index && text !== null ? blindIndex(key, index.of(text)) : null))
  await sql`
    update ${parts.table} t set ${sql.ref(column.sealed)} = n.sealed
      ${column.plain === null ? sql`` : sql`, ${sql.ref(column.plain)} = null`}
      ${index ? sql`, ${sql.ref(index.column)} = n.found` : sql``}
      ${column.written ? sql`, contact_source = ${sealedSource('t', column.name, sql.ref('n.sealed'))}` : sql``}
    from unnest(${opened.map(({ at }) => at)}::bigint[], ${made}::bytea[], ${indexes}::bytea[]) as n(at, sealed, found)
    where ${parts.here} and ${parts.order} = n.at`.execute(tx)
  if (column.name === SEALED.contact.name) await addContactIndexes(tx, key, opened)
  return done
}

/** Lets contacts be found by the new key too. */
async function addContactIndexes(tx: Tx, key: FieldKey, opened: readonly Opened[]) {
  const indexes = opened.map(({ text }) => blindIndex(key, text ?? ''))
  await sql`
    insert into contact_index (index, contact_id)
    select n.index, n.id from unnest(${indexes}::bytea[], ${opened.map(({ at }) => at)}::bigint[]) as n(index, id)
    order by n.index on conflict do nothing`.execute(tx)
}
