import { NO_COST } from '@pillar/domain/measure/line'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { insertRows } from '../../db/distribute/insert-rows.ts'
import { integersOf } from './columns.ts'
import { COLUMNS, type PackedLines, pack, type RawColumn, type RawLines, sameLines, unpack } from './line-pack.ts'

const counted = (locationId: number) =>
  sql`from script s where s.location_id = ${locationId} and not s.reversed and not s.deferred`
/** What stands for a column that was not read. */
const UNREAD: Partial<Record<RawColumn, number>> = { repeats: -1, cost: NO_COST, basis: 0 }

/**
 * Reads counted scripts in one scan, each column as one text.
 * @param only a further condition on the scripts `s`
 * @param all also what only figures need; as unknown without
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

/** Replaces the copy of a pharmacy's lines; without one when a number does not fit it. */
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

async function insertCopy(tx: Tx, locationId: number, { patients, lines }: PackedLines): Promise<void> {
  const texts = lines.map((own) => `"\\\\x${own.toString('hex')}"`)
  await insertRows(
    tx,
    sql`insert into script_lines (location_id, patient_id, lines)
    select ${locationId}, u.* from unnest(${patients}::bigint[], ${`{${texts.join(',')}}`}::bytea[]) u`,
  )
}

/** The copy was not what the scripts say. */
export class UntrueCopy extends Error {}

/** Whose lines are read again. */
export interface ReadAgain {
  /** Patients of every script that changed since the copy was made. */
  readonly touched: readonly number[]
  /** Patients of whom none did: the copy must be right about them. */
  readonly checked: readonly number[]
}

/**
 * All counted lines of a pharmacy by the copy of them. Those of touched patients are read again and replaced in it first.
 * @returns null when there is no copy
 * @throws UntrueCopy when it differs from the scripts of a checked patient
 */
export async function readByCopy(
  tx: Tx,
  locationId: number,
  { touched, checked }: ReadAgain,
  moleculeOf: (drug: number) => number,
): Promise<RawLines | null> {
  // Of a copy that is not there, no part may be made.
  if (!(await hasCopy(tx, locationId))) return null
  const again = [...touched, ...checked]
  const fresh = pack(await readLines(tx, locationId, sql`and s.patient_id = any(${again}::bigint[])`, true), moleculeOf)
  const { rows } = await sql<{ patient_id: number; lines: Buffer }>`
    delete from script_lines where location_id = ${locationId} and patient_id = any(${again}::bigint[])
    returning patient_id, lines`.execute(tx)
  if (!fresh) return null
  await insertCopy(tx, locationId, fresh)
  const copy = await readCopy(tx, locationId)
  if (!copy) return null
  const before = new Map(rows.map((one) => [one.patient_id, one.lines]))
  const now = new Map(fresh.patients.map((id, at) => [id, fresh.lines[at]]))
  if (!checked.every((id) => sameLines(before.get(id), now.get(id)))) throw new UntrueCopy()
  return copy
}

async function hasCopy(tx: Tx, locationId: number): Promise<boolean> {
  const { rows } = await sql`select from script_lines where location_id = ${locationId} limit 1`.execute(tx)
  return rows.length > 0
}

/** The copy of a pharmacy's lines; null without one. */
export async function readCopy(tx: Tx, locationId: number): Promise<RawLines | null> {
  const { rows } = await sql<{ patients: string | null; bytes: string | null; count: number; lines: Buffer | null }>`
    select count(*)::int as count, array_agg(patient_id order by patient_id)::text as patients,
      array_agg(octet_length(lines) order by patient_id)::text as bytes, string_agg(lines, ''::bytea order by patient_id) as lines
    from script_lines where location_id = ${locationId}`.execute(tx)
  const [copy] = rows
  if (!copy?.lines) return null
  return unpack(copy.lines, integersOf(copy.patients, copy.count), integersOf(copy.bytes, copy.count))
}
