import { NO_COST } from '@pillar/domain/measure/line'
import type { Day } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { insertRows } from '../../db/distribute/insert-rows.ts'
import { integersOf } from './columns.ts'
import {
  COLUMNS,
  hasLineWithin,
  joined,
  linesBefore,
  NO_LINES,
  type PackedLines,
  pack,
  type RawColumn,
  type RawLines,
  sameLines,
  unpack,
} from './line-pack.ts'

const counted = (locationId: number) =>
  sql`from script s where s.location_id = ${locationId} and not s.reversed and not s.deferred`
/** The values for a column that was not read. */
const UNREAD: Partial<Record<RawColumn, number>> = { repeats: -1, cost: NO_COST, basis: 0 }

/**
 * Reads counted scripts in one scan, each column as one text.
 * @param only a further condition on the scripts `s`
 * @param all also reads what only figures need; otherwise those columns count as unknown
 */
export async function readLines(
  tx: Tx,
  locationId: number,
  only: RawBuilder<unknown>,
  all: boolean,
): Promise<RawLines> {
  const names = Object.keys(COLUMNS) as RawColumn[]
  const read = names.filter((name) => all || UNREAD[name] === undefined)
  const wanted = read.map((name) => sql.raw(`array_agg(${COLUMNS[name]})::text as ${name}`))
  const { rows } = await sql<Record<string, string | null> & { count: number }>`
    select count(*)::int as count, ${sql.join(wanted)} ${counted(locationId)} ${only}`.execute(tx)
  const [row] = rows
  const count = row?.count ?? 0
  const columnOf = (name: RawColumn) =>
    read.includes(name) ? integersOf(row?.[name] ?? null, count) : new Int32Array(count).fill(UNREAD[name] ?? 0)
  return Object.fromEntries(names.map((name) => [name, columnOf(name)])) as unknown as RawLines
}

/** A condition on the scripts `s`: their patient has one in a span. */
export async function linesWithin(tx: Tx, locationId: number, { from, to }: Span): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ ids: string }>`
    select array_agg(distinct patient_id)::text as ids from script where location_id = ${locationId}
      and dispensed_on between date '1970-01-01' + ${from}::int and date '1970-01-01' + ${to}::int`.execute(tx)
  return sql`and s.patient_id = any(${rows[0]?.ids ?? '{}'}::bigint[])`
}

/** Replaces the copy of a pharmacy's lines; leaves none if a number does not fit it. */
export async function storeCopy(
  tx: Tx,
  locationId: number,
  raw: RawLines,
  moleculeOf: (drug: number) => number,
): Promise<void> {
  await sql`delete from script_lines where location_id = ${locationId}`.execute(tx)
  const packed = pack(raw, moleculeOf)
  if (packed) await insertCopy(tx, locationId, packed)
}

/** Patients whose lines one statement writes: in text form, a large pharmacy's lines take a dozen times the size of the copy. */
export const WRITTEN_AT_ONCE = 500

async function insertCopy(tx: Tx, locationId: number, { patients, lines }: PackedLines): Promise<void> {
  for (let from = 0; from < patients.length; from += WRITTEN_AT_ONCE) {
    const to = from + WRITTEN_AT_ONCE
    const texts = lines.slice(from, to).map((own) => `"\\\\x${own.toString('hex')}"`)
    await insertRows(
      tx,
      sql`insert into script_lines (location_id, patient_id, lines)
      select ${locationId}, u.* from unnest(${patients.slice(from, to)}::bigint[], ${`{${texts.join(',')}}`}::bytea[]) u`,
    )
  }
}

/** The copy did not match the scripts. */
export class UntrueCopy extends Error {}

/** The lines that are read again. */
export interface ReadAgain {
  /** Patients of every script that changed since the copy was made. */
  readonly touched: readonly number[]
  /** No script of an earlier day changed. */
  readonly since: Day
  /** Patients whose lines are all read: the copy must be right about those that did not change. */
  readonly checked: readonly number[]
}

/**
 * All counted lines of a pharmacy from its copy. Lines of touched patients from the first changed day on are read again and replaced in it
 * first.
 * @returns null if there is no copy, or a number does not fit it
 * @throws UntrueCopy if it differs from the unchanged scripts of a checked patient
 */
export async function readByCopy(
  tx: Tx,
  locationId: number,
  again: ReadAgain,
  moleculeOf: (drug: number) => number,
): Promise<RawLines | null> {
  const copy = await readCopy(tx, locationId)
  // A missing copy must not be created in part.
  if (copy.size === 0) return null
  const now = await readNow(tx, locationId, copy, again, moleculeOf)
  if (!now) return null
  const { touched, since, checked } = again
  const known = new Set(touched)
  const unchanged = (id: number, lines: Buffer = NO_LINES) => (known.has(id) ? linesBefore(lines, since) : lines)
  if (!checked.every((id) => sameLines(unchanged(id, copy.get(id)), unchanged(id, now.get(id))))) throw new UntrueCopy()
  const changed = touched.filter((id) => !sameLines(copy.get(id), now.get(id)))
  for (const id of changed) copy.delete(id)
  const replaced = changed.filter((id) => now.has(id)).sort((a, b) => a - b)
  for (const id of replaced) copy.set(id, now.get(id) as Buffer)
  await sql`delete from script_lines where location_id = ${locationId} and patient_id = any(${changed}::bigint[])`.execute(
    tx,
  )
  await insertCopy(tx, locationId, packedOf(copy, replaced))
  const patients = [...copy.keys()].sort((a, b) => a - b)
  return unpack(packedOf(copy, patients))
}

/**
 * The lines of touched and checked patients as they are now, by patient. Of a touched patient only those since the first changed day come
 * from the scripts: putting all lines of 200 patients into text takes longer than reading the copy.
 * @returns null if a number does not fit the copy
 */
async function readNow(
  tx: Tx,
  locationId: number,
  copy: ReadonlyMap<number, Buffer>,
  { touched, since, checked }: ReadAgain,
  moleculeOf: (drug: number) => number,
): Promise<Map<number, Buffer> | null> {
  const fresh = await readLines(
    tx,
    locationId,
    sql`and s.patient_id = any(${[...touched, ...checked]}::bigint[])
      and (s.dispensed_on >= date '1970-01-01' + ${since}::int or s.patient_id = any(${[...checked]}::bigint[]))`,
    true,
  )
  const whole = new Set(checked)
  const patients = touched.filter((id) => copy.has(id) && !whole.has(id))
  const lines = patients.map((id) => linesBefore(copy.get(id) as Buffer, since))
  const now = pack(joined(unpack({ patients, lines }), fresh), moleculeOf)
  return now && new Map(now.patients.map((id, at) => [id, now.lines[at] as Buffer]))
}

/**
 * All counted lines of the patients who have one in a span, from the copy: at a large pharmacy that is most patients, and reading their
 * scripts takes many times as long.
 * @returns null if there is no copy
 */
export async function readCopyWithin(tx: Tx, locationId: number, span: Span): Promise<RawLines | null> {
  const copy = await readCopy(tx, locationId)
  if (copy.size === 0) return null
  const patients = [...copy].flatMap(([id, own]) => (hasLineWithin(own, span) ? id : []))
  return unpack(
    packedOf(
      copy,
      patients.sort((a, b) => a - b),
    ),
  )
}

const packedOf = (copy: ReadonlyMap<number, Buffer>, patients: readonly number[]): PackedLines => ({
  patients,
  lines: patients.map((id) => copy.get(id) as Buffer),
})

/** The copy of a pharmacy's lines by patient. Read row by row: gathering all of it into one value takes PostgreSQL five times as long. */
export async function readCopy(tx: Tx, locationId: number): Promise<Map<number, Buffer>> {
  const { rows } = await sql<{ patient_id: number; lines: Buffer }>`
    select patient_id, lines from script_lines where location_id = ${locationId}`.execute(tx)
  return new Map(rows.map((one) => [one.patient_id, one.lines]))
}
