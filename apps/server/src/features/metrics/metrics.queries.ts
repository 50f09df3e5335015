import { setImmediate as breathe } from 'node:timers/promises'
import { isRefundLine } from '@pillar/domain/measure/line'
import type { PharmacyRecord } from '@pillar/domain/measure/record'
import { Rollup } from '@pillar/domain/measure/rollup'
import { type Day, day as dayOf } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { isBusinessDay } from '@pillar/domain/time/zone'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { calendarOf } from '../../db/local-calendar.ts'
import { planCells } from './cells.queries.ts'
import { readRecord } from './record.queries.ts'
import { type DataRange, planMetrics } from './spans.ts'
import { ensureSubcategories } from './subcategory.queries.ts'
import { type Computed, writeCells, writePatients, writeTotals } from './write.queries.ts'

export interface MetricLocation {
  id: number
  country: Country
  timeZone: string
}

export interface MetricChange {
  /** Last day the pharmacy's data reaches, ISO. */
  dataTo: string
  /** Earliest day whose lines changed, ISO; null recomputes every period. */
  changedFrom: string | null
}

/** The portal's other requests get their turn after this long. */
const TURN_MS = 8

/**
 * Recomputes a pharmacy's stored figures from its dispense lines, in the caller's transaction, for every period the change can have
 * touched: those that reach the earliest changed day, and those still running. The lines are read once and measured here, by the rules of
 * the domain (decision 034). Requires the transaction's scope to hold the pharmacy.
 */
export async function recomputeMetrics(tx: Tx, location: MetricLocation, change: MetricChange): Promise<void> {
  const place = await placeOf(tx, location)
  if (!place) return clearMetrics(tx, location.id)
  const { record, around, people, molecules } = await readRecord(tx, location.id)
  if (record.lines.day.length === 0) return clearMetrics(tx, location.id)
  const dataTo = dayOf(change.dataTo)
  const data: DataRange = { ...place, to: dataTo, open: openDays(record, place.holidays) }
  const since =
    change.changedFrom === null
      ? null
      : Math.min(dayOf(change.changedFrom), await lastComputed(tx, location.id, dataTo))
  const { codes, spans } = planMetrics(location.country, data, since)
  await ensureSubcategories(tx)
  const plan = await planCells(tx, people, molecules, spans)
  const rollup = new Rollup(record, around, spans, plan, dataTo)
  let turn = performance.now()
  for (let person = 0; person < people.length; person++) {
    rollup.add(person)
    if (performance.now() - turn < TURN_MS) continue
    await breathe()
    turn = performance.now()
  }
  await dropOtherPeriods(tx, location.id, codes)
  const computed: Computed = { locationId: location.id, spans, plan, rollup, people }
  await writeTotals(tx, computed, data)
  await writeCells(tx, computed)
  await dropOldComparisons(tx, location.id)
  await writePatients(tx, computed)
}

/** Where the data begin and which holidays are observed; null before the first script. */
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

/** Business days on which something was supplied. */
function openDays(record: PharmacyRecord, holidays: ReadonlySet<Day>): ReadonlySet<Day> {
  const { lines } = record
  const open = new Set<Day>()
  for (let at = 0; at < lines.day.length; at++) if (!isRefundLine(lines, at)) open.add(lines.day[at] as number)
  return new Set([...open].filter((day) => isBusinessDay(day, holidays)))
}

/** The day the stored running periods were computed to: they must be redone even when no line changed. */
async function lastComputed(tx: Tx, locationId: number, dataTo: Day): Promise<Day> {
  const { rows } = await sql<{ last: string | null }>`
    select max(to_day)::text as last from metric_total where location_id = ${locationId}`.execute(tx)
  return rows[0]?.last ? Math.min(dayOf(rows[0].last), dataTo) : 0
}

async function clearMetrics(tx: Tx, locationId: number): Promise<void> {
  for (const table of ['metric_cell', 'metric_total', 'patient_measure'] as const) {
    await tx.deleteFrom(table).where('location_id', '=', locationId).execute()
  }
}

/**
 * Deletes periods that are no longer offered, or lie outside the pharmacy's data. Cells that a remaining period is compared with are kept,
 * as of a year that is no longer offered.
 */
async function dropOtherPeriods(tx: Tx, locationId: number, codes: readonly number[]): Promise<void> {
  await sql`delete from metric_total where location_id = ${locationId} and period <> all(${codes}::int[])`.execute(tx)
  await sql`
    with kept as (
      update metric_total set prior_period = -prior_period
      where location_id = ${locationId} and prior_period > 0 and prior_period <> all(${codes}::int[]) returning prior_period)
    update metric_cell set period = kept.prior_period from kept
    where location_id = ${locationId} and period = -kept.prior_period`.execute(tx)
  await sql`delete from metric_cell where location_id = ${locationId} and period > 0 and period <> all(${codes}::int[])`.execute(
    tx,
  )
}

/** Deletes cells of dates that no period is compared with any more. */
async function dropOldComparisons(tx: Tx, locationId: number): Promise<void> {
  await sql`
    delete from metric_cell where location_id = ${locationId} and period < 0
      and period <> all(array(select prior_period from metric_total where location_id = ${locationId} and prior_period < 0))`.execute(
    tx,
  )
}
