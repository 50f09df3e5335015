import { type Day, day as dayOf, formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { buildActive, buildCourses, buildCoverage, buildLeaks, buildLines, buildMeasured } from './coverage.queries.ts'
import { writeCells, writePatients, writeTotals } from './rollup.queries.ts'
import { type MetricPlan, planMetrics, ymdNumber } from './spans.ts'
import { ensureSubcategories } from './subcategory.queries.ts'

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

/**
 * Recomputes a pharmacy's stored figures from its dispense lines, in the caller's transaction, for every period the
 * change can have touched: those that reach the earliest changed day, and those still running. Set-based throughout.
 * Requires the transaction's scope to hold the pharmacy.
 */
export async function recomputeMetrics(tx: Tx, location: MetricLocation, change: MetricChange): Promise<void> {
  // Working tables are many and short-lived: a small sample is enough to plan them by.
  await sql`set local work_mem = '192MB'`.execute(tx)
  await sql`set local default_statistics_target = 10`.execute(tx)
  // Rows merged a moment ago are not in the planner's statistics yet: without this it would look each one up singly.
  await sql`set local enable_nestloop = off`.execute(tx)
  await buildLines(tx, location.id)
  const history = await sql<{ first: Day | null }>`select min(day) as first from m_line`.execute(tx)
  const historyFrom = history.rows[0]?.first
  if (historyFrom == null) return clearMetrics(tx, location.id)
  const dataTo = dayOf(change.dataTo)
  const since =
    change.changedFrom === null
      ? null
      : Math.min(dayOf(change.changedFrom), await lastComputed(tx, location.id, dataTo))
  const plan = planMetrics(location.country, dataTo, since, historyFrom)
  await ensureSubcategories(tx)
  await loadSpans(tx, plan)
  await buildLeaks(tx)
  await buildCourses(tx)
  await buildActive(tx)
  await buildCoverage(tx, plan.windows)
  await buildMeasured(tx, plan.trailing)
  await dropOldPeriods(tx, location, dataTo)
  await writeTotals(tx, location.id)
  await writeCells(tx, location.id)
  await writePatients(tx, location.id, dataTo)
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

/** Spans and patients' attributes, as `m_span` and `m_person`, that every roll-up joins. */
async function loadSpans(tx: Tx, plan: MetricPlan): Promise<void> {
  const { spans } = plan
  await sql`
    create temp table m_span on commit drop as
    select * from unnest(${spans.map((s) => s.id)}::int[], ${spans.map((s) => s.period)}::int[], ${spans.map((s) => s.from)}::int[],
      ${spans.map((s) => s.to)}::int[], ${spans.map((s) => s.priorId)}::int[], ${spans.map((s) => ymdNumber(s.to))}::int[],
      ${spans.map((s) => plan.own.get(s.id)!)}::int[])
      as s(span_id, period, from_day, to_day, prior_id, to_ymd, window_id)`.execute(tx)
  await sql`analyze m_span`.execute(tx)
}

/** Deletes periods that are no longer offered. */
async function dropOldPeriods(tx: Tx, location: MetricLocation, dataTo: Day): Promise<void> {
  const oldest = Math.floor(dayOf(`${Number(formatDay(dataTo).slice(0, 4)) - 5}-01-01`))
  const code = Number(formatDay(oldest).slice(0, 4)) * 100
  for (const table of ['metric_cell', 'metric_total'] as const) {
    await tx.deleteFrom(table).where('location_id', '=', location.id).where('period', '<', code).execute()
  }
}
