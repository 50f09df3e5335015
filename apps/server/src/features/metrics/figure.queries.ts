import { createHash } from 'node:crypto'
import { changeParts, type ProductChange } from '@pillar/domain/figure/change-parts'
import { FIGURE_SUMS } from '@pillar/domain/measure/figure-sums'
import { SUMS } from '@pillar/domain/measure/rollup'
import { type Day, formatDay } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { insertRows } from '../../db/distribute/insert-rows.ts'
import { type DataRange, type FollowedPeriod, hasCells, type MetricSpan, openDaysIn } from './spans.ts'
import { categoryId } from './subcategory.queries.ts'
import type { Computed } from './write.queries.ts'

/** Raised when the rules behind metric_figure change: every pharmacy is then recounted with its next upload. */
const RULES = 3
/**
 * The version of rows counted by the present rules, a list of 60-day items, the public holidays of the pharmacy's state and the first days of
 * its dispensing systems, if it has had several: another list, an address corrected to another state, or another system changes the figures
 * of all periods.
 */
export function figureVersion(
  itemsList: number,
  holidays: ReadonlySet<Day>,
  systems: ReadonlyMap<string, Day> = new Map(),
): number {
  const counted = [RULES, itemsList, ...[...holidays].sort((a, b) => a - b), ...[...systems].flat()].join(' ')
  return createHash('sha256').update(counted).digest().readInt32BE()
}

/** Whether some of a pharmacy's stored periods have no figures of this version. */
export async function hasOldFigures(tx: Tx, locationId: number, version: number): Promise<boolean> {
  const { rows } = await sql`
    select from metric_total t left join metric_figure f on f.location_id = t.location_id and f.period = t.period
    where t.location_id = ${locationId} and f.version is distinct from ${version} limit 1`.execute(tx)
  return rows.length > 0
}

/** Scripts that were owing or deferred, by day. */
export type OwedByDay = ReadonlyMap<Day, { owing: number; deferred: number }>

/** Counts owing scripts, and deferred ones, which count nowhere else. */
export async function readOwed(tx: Tx, locationId: number): Promise<OwedByDay> {
  const { rows } = await sql<{ day: Day; owing: number; deferred: number }>`
    with p as materialized (select id from patient where location_id = ${locationId} and not fake)
    select s.dispensed_on - date '1970-01-01' as day, count(*) filter (where s.owing and not s.deferred)::int as owing,
      count(*) filter (where s.deferred)::int as deferred
    from script s join p on p.id = s.patient_id
    where s.location_id = ${locationId} and (s.owing or s.deferred) and not s.reversed
      and s.patient_price_cents::bigint + s.government_cents >= 0
    group by 1`.execute(tx)
  return new Map(rows.map(({ day, ...counts }) => [day, counts]))
}

const OF_CELLS = {
  revenue_cents: 'cents',
  scripts: 'scripts',
  patients: 'patients',
  measured_pairs: 'pairs',
  measured_scripts: 'measured',
  adherent_scripts: 'adherent',
  leaked_slots: 'leaked',
} as const satisfies Record<string, (typeof SUMS)[number]>

/** Replaces metric_figure for the periods, and for the dates they are compared with. */
export async function writeFigures(
  tx: Tx,
  computed: Computed,
  data: DataRange,
  of: { owed: OwedByDay; version: number },
): Promise<void> {
  const { locationId, spans } = computed
  const rows = spans.flatMap((span, at) => (hasCells(span) ? [rowOf(computed, at, data, of)] : []))
  const names = Object.keys(rows[0] ?? {})
  await sql`
    delete from metric_figure where location_id = ${locationId} and period = any(${rows.map(({ period }) => period)}::int[])`.execute(
    tx,
  )
  if (rows.length === 0) return
  const columns = sql.join(names.map((name) => sql.ref(name)))
  await insertRows(
    tx,
    sql`insert into metric_figure (location_id, ${columns})
    select ${locationId}, ${columns} from jsonb_populate_recordset(null::metric_figure, ${JSON.stringify(rows)}::jsonb)`,
  )
}

function rowOf(computed: Computed, at: number, data: DataRange, of: { owed: OwedByDay; version: number }) {
  const { spans, rollup } = computed
  const span = spans[at] as MetricSpan
  const total = rollup.sumsOf(at, 0)
  const judged = rollup.judged[at]
  const figures = rollup.figures.of(at)
  const ofCells = Object.entries(OF_CELLS).map(([name, sum]) => [name, total?.[SUMS.indexOf(sum)] ?? 0])
  const parts = span.prior === null ? null : changeParts(productsOf(computed, at, span.prior))
  return {
    ...{ period: span.cells, prior_period: span.prior === null ? null : (spans[span.prior] as MetricSpan).cells },
    ...{ version: of.version, from_day: formatDay(span.from), to_day: formatDay(span.to) },
    business_days: openDaysIn(span, data.open),
    ...Object.fromEntries(ofCells),
    adherent_patients: judged?.adherent ?? 0,
    measured_patients: (judged?.adherent ?? 0) + (judged?.nonAdherent ?? 0),
    ...Object.fromEntries(FIGURE_SUMS.map((name, sum) => [name, figures[sum] ?? 0])),
    ...owedIn(span, of.owed),
    ...{ volume_cents: parts?.volume ?? null, price_cents: parts?.price ?? null },
  }
}

function owedIn({ from, to }: MetricSpan, owed: OwedByDay) {
  const sums = { owing_scripts: 0, deferred_scripts: 0 }
  for (const [day, { owing, deferred }] of owed) {
    if (day < from || day > to) continue
    sums.owing_scripts += owing
    sums.deferred_scripts += deferred
  }
  return sums
}

/** Scripts and revenue of each molecule a year earlier and now, in order of id. */
function productsOf({ plan, rollup }: Computed, at: number, prior: number): ProductChange[] {
  const sumsOf = (span: number, cell: number) => {
    const sums = rollup.sumsOf(span, cell)
    return { scripts: sums?.[SUMS.indexOf('scripts')] ?? 0, cents: sums?.[SUMS.indexOf('cents')] ?? 0 }
  }
  return [...plan.keys.entries()]
    .filter(([, key]) => key.category === categoryId('Molecule'))
    .sort(([, a], [, b]) => a.subcategory - b.subcategory)
    .map(([cell]) => ({ before: sumsOf(prior, cell), now: sumsOf(at, cell) }))
}

/** Replaces metric_persistence for periods whose starts can still change. */
export async function writePersistence(
  tx: Tx,
  { locationId, rollup }: Computed,
  followed: readonly FollowedPeriod[],
  drugTypeOf: (molecule: number) => number,
): Promise<void> {
  const rows = followed.flatMap(({ code, ...span }) =>
    [...rollup.persistence.in(span, drugTypeOf)].map(([drug_type_id, ends]) => ({
      ...{ period: code, drug_type_id, days: ends.map(({ day }) => day) },
      ...{ stopped: ends.map(({ stopped }) => stopped), lost: ends.map(({ lost }) => lost) },
    })),
  )
  await sql`
    delete from metric_persistence where location_id = ${locationId}
      and period = any(${followed.map(({ code }) => code)}::int[])`.execute(tx)
  await insertRows(
    tx,
    sql`insert into metric_persistence (location_id, period, drug_type_id, days, stopped, lost)
    select ${locationId}, period, drug_type_id, days, stopped, lost
    from jsonb_populate_recordset(null::metric_persistence, ${JSON.stringify(rows)}::jsonb)`,
  )
}
