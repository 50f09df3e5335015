import { isRefundLine } from '@pillar/domain/measure/line'
import type { PharmacyRecord } from '@pillar/domain/measure/record'
import { Rollup } from '@pillar/domain/measure/rollup'
import { type Day, day as dayOf } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { isBusinessDay } from '@pillar/domain/time/zone'
import { sql } from 'kysely'
import { inTurns } from '../../api/repeat.ts'
import type { Tx } from '../../db/database.ts'
import { calendarOf } from '../../db/local-calendar.ts'
import { currentLists, type ListedDrug, listedDrugs } from '../sixty-day/list.queries.ts'
import { planCells } from './cells.queries.ts'
import { figureVersion, hasOldFigures, readOwed, writeFigures, writePersistence } from './figure.queries.ts'
import { UntrueCopy } from './line.queries.ts'
import { firstDays, readRecord } from './record.queries.ts'
import { readOpenRepeats } from './repeat.queries.ts'
import { type DataRange, planMetrics } from './spans.ts'
import { ensureSubcategories } from './subcategory.queries.ts'
import { type Computed, writeCells, writePatients, writeTotals } from './write.queries.ts'

export interface MetricLocation {
  id: number
  country: Country
  timeZone: string
}

export interface MetricChange {
  /** Last day of the pharmacy's data, ISO. */
  dataTo: string
  /** Earliest day whose lines changed, ISO; null recomputes every period. */
  changedFrom: string | null
  /** Ids of the patients of every script added, changed or deleted since the last time; null if unknown. */
  touched?: readonly number[] | null
}

/**
 * Recomputes a pharmacy's stored figures from its dispense lines, in the caller's transaction, for every period the change can affect:
 * those that reach the earliest changed day, and those still running. The lines are read once and measured here, by the rules of the domain
 * (decision 034). Requires the pharmacy in the transaction's scope. If the copy of the lines proves untrue, every period is recomputed from
 * the scripts, and `warn` is called.
 * @returns the day that recomputed periods reach; null if all were recomputed
 */
export async function recomputeMetrics(
  tx: Tx,
  location: MetricLocation,
  change: MetricChange,
  warn: (what: string) => void = () => {},
): Promise<Day | null> {
  try {
    return await recompute(tx, location, change)
  } catch (error) {
    if (!(error instanceof UntrueCopy)) throw error
    warn("the copy of a pharmacy's scripts was not true: all its figures are counted again")
    return recompute(tx, location, { ...change, changedFrom: null })
  }
}

async function recompute(tx: Tx, location: MetricLocation, change: MetricChange): Promise<Day | null> {
  const place = await placeOf(tx, location)
  if (!place) return clearMetrics(tx, location.id)
  const lists = await currentLists(tx)
  const version = figureVersion(lists.ids.items, place.holidays, await firstDays(tx, location.id))
  const listed = await listedOf(tx, location, lists.items)
  const loaded = await readRecord(tx, location.id, { listed, changed: changedLines(change) })
  const { record, around, people, molecules } = loaded
  const owed = await readOwed(tx, location.id)
  // A pharmacy that has only promised scripts so far has figures for those.
  if (record.lines.day.length === 0 && owed.size === 0) return clearMetrics(tx, location.id)
  const dataTo = dayOf(change.dataTo)
  const data: DataRange = { ...place, to: dataTo, open: openDays(record, place.holidays) }
  const everything = change.changedFrom === null || (await hasOldFigures(tx, location.id, version))
  const since = everything
    ? null
    : Math.min(dayOf(change.changedFrom ?? change.dataTo), await lastComputed(tx, location.id, dataTo))
  const { codes, spans, followed } = planMetrics(location.country, data, since)
  await ensureSubcategories(tx)
  const plan = await planCells(tx, people, molecules, spans)
  const rollup = new Rollup(record, around, spans, plan, data)
  await inTurns(people.length, (person) => rollup.add(person))
  const ends = spans.map((span) => span.to)
  const asked = { from: Math.min(...ends), to: Math.max(...ends) }
  rollup.figures.addRepeats(await readOpenRepeats(tx, location.id, loaded, asked))
  await dropOtherPeriods(tx, location.id, codes)
  const computed: Computed = { locationId: location.id, spans, plan, rollup, people }
  await writeTotals(tx, computed, data)
  await writeCells(tx, computed)
  await writeFigures(tx, computed, data, { owed, version })
  await writePersistence(tx, computed, followed, (molecule) => molecules[molecule]?.drug_type_id ?? 0)
  await dropOldComparisons(tx, location.id)
  await writePatients(tx, computed)
  return since
}

/** The lines that changed; null if unknown. */
function changedLines({ changedFrom, touched }: MetricChange) {
  return changedFrom === null || !touched ? null : { touched, since: dayOf(changedFrom) }
}

/** The pharmacy's drugs as the list of 60-day items sees them; empty outside Australia. */
async function listedOf(
  tx: Tx,
  { id, country }: MetricLocation,
  items: Parameters<typeof listedDrugs>[2],
): Promise<ReadonlyMap<number, ListedDrug>> {
  if (country !== 'AU') return new Map()
  return new Map((await listedDrugs(tx, id, items)).map((one) => [one.id, one]))
}

/** Where the data begin and which holidays apply; null before the first script. */
async function placeOf(
  tx: Tx,
  { id, country, timeZone }: MetricLocation,
): Promise<Pick<DataRange, 'from' | 'holidays'> | null> {
  const { rows } = await sql<{ region: string | null; postcode: string | null; data_from: string | null }>`
    select region, postcode, data_from from location where id = ${id}`.execute(tx)
  const { region = null, postcode = null, data_from = null } = rows[0] ?? {}
  if (data_from === null) return null
  return { from: dayOf(data_from), holidays: calendarOf({ country, region, postcode, time_zone: timeZone }).holidays }
}

/** Business days with at least one supply. */
function openDays(record: PharmacyRecord, holidays: ReadonlySet<Day>): ReadonlySet<Day> {
  const { lines } = record
  let [first, last] = [0, 0]
  for (let at = 0; at < lines.day.length; at++) {
    const day = lines.day[at] as number
    if (day < first) first = day
    if (day > last) last = day
  }
  const supplied = new Uint8Array(last - first + 1)
  for (let at = 0; at < lines.day.length; at++)
    if (!isRefundLine(lines, at)) supplied[(lines.day[at] as number) - first] = 1
  const open = [...supplied.keys()].filter((at) => supplied[at] === 1).map((at) => first + at)
  return new Set(open.filter((day) => isBusinessDay(day, holidays)))
}

/** The day up to which the stored running periods were computed: they must be recomputed even if no line changed. */
async function lastComputed(tx: Tx, locationId: number, dataTo: Day): Promise<Day> {
  const { rows } = await sql<{ last: string | null }>`
    select max(to_day)::text as last from metric_total where location_id = ${locationId}`.execute(tx)
  return rows[0]?.last ? Math.min(dayOf(rows[0].last), dataTo) : 0
}

async function clearMetrics(tx: Tx, locationId: number): Promise<null> {
  for (const table of [
    'metric_cell',
    'metric_total',
    'metric_figure',
    'metric_persistence',
    'patient_measure',
    'script_lines',
  ] as const) {
    await tx.deleteFrom(table).where('location_id', '=', locationId).execute()
  }
  return null
}

/**
 * Deletes periods that are no longer offered, or lie outside the pharmacy's data. Comparison dates of a remaining period are kept, even
 * those of a year no longer offered.
 */
async function dropOtherPeriods(tx: Tx, locationId: number, codes: readonly number[]): Promise<void> {
  const gone = sql`location_id = ${locationId} and period > 0 and period <> all(${codes}::int[])`
  const { numAffectedRows } = await sql`delete from metric_total where ${gone}`.execute(tx)
  if (!numAffectedRows) return
  const { rows } = await sql<{ period: number }>`
    select distinct prior_period as period from metric_total
    where location_id = ${locationId} and prior_period > 0 and prior_period <> all(${codes}::int[])`.execute(tx)
  const kept = rows.map(({ period }) => period)
  await sql`
    update metric_figure set prior_period = null, volume_cents = null, price_cents = null
    where ${gone} and period = any(${kept}::int[])`.execute(tx)
  for (const table of ['metric_cell', 'metric_figure'] as const) {
    await sql`update ${sql.table(table)} set period = -period where ${gone} and period = any(${kept}::int[])`.execute(
      tx,
    )
    await sql`delete from ${sql.table(table)} where ${gone}`.execute(tx)
  }
  for (const table of ['metric_total', 'metric_figure'] as const)
    await sql`
      update ${sql.table(table)} set prior_period = -prior_period
      where location_id = ${locationId} and prior_period = any(${kept}::int[])`.execute(tx)
  await sql`delete from metric_persistence where ${gone}`.execute(tx)
}

/** Deletes comparison dates that no period uses any more. */
async function dropOldComparisons(tx: Tx, locationId: number): Promise<void> {
  for (const table of ['metric_cell', 'metric_figure'] as const)
    await sql`
      delete from ${sql.table(table)} where location_id = ${locationId} and period < 0
        and period <> all(array(select prior_period from metric_total where location_id = ${locationId} and prior_period < 0))`.execute(
      tx,
    )
}
