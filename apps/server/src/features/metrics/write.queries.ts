import { type Rollup, SUMS } from '@pillar/domain/measure/rollup'
import { formatDay } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { insertRows } from '../../db/distribute/insert-rows.ts'
import type { StoredCells } from './cells.queries.ts'
import type { PersonFacts } from './record.queries.ts'
import { type DataRange, hasCells, isComplete, type MetricSpan, openDaysIn } from './spans.ts'

/** A pharmacy's figures, ready to store. */
export interface Computed {
  locationId: number
  spans: readonly MetricSpan[]
  plan: StoredCells
  rollup: Rollup
  people: readonly PersonFacts[]
}

interface Headline {
  scripts: number
  cents: number
  patients: number
  male: number
  female: number
  adherent: number
  non_adherent: number
  opportunity: number
}

function headlineOf({ plan, rollup }: Computed, span: number): Headline {
  const of = (cell: number, name: (typeof SUMS)[number]) => rollup.sumsOf(span, cell)?.[SUMS.indexOf(name)] ?? 0
  const judged = rollup.judged[span]
  return {
    ...{ scripts: of(0, 'scripts'), cents: of(0, 'cents'), patients: of(0, 'patients') },
    ...{ male: of(plan.male, 'patients'), female: of(plan.female, 'patients') },
    ...{ adherent: judged?.adherent ?? 0, non_adherent: judged?.nonAdherent ?? 0, opportunity: of(0, 'opportunity') },
  }
}

/** Replaces metric_total for the periods: their headline figures and, beside them, those of the same dates a year earlier. */
export async function writeTotals(tx: Tx, computed: Computed, data: DataRange): Promise<void> {
  const { locationId, spans } = computed
  const totals = spans.flatMap((span, at) => {
    if (span.period === null) return []
    return [{ ...named(span), ...headlineOf(computed, at), ...priorOf(computed, span, data), ...daysOf(span, data) }]
  })
  const json = JSON.stringify(totals)
  await sql`delete from metric_total where location_id = ${locationId} and period = any(${periodsOf(spans)}::int[])`.execute(
    tx,
  )
  await insertRows(
    tx,
    sql`insert into metric_total (location_id, period, from_day, to_day, scripts, revenue_cents, patients, male, female, adherent, non_adherent,
      opportunity_cents, prior_scripts, prior_revenue_cents, prior_patients, prior_male, prior_female, prior_adherent, prior_non_adherent,
      prior_opportunity_cents, prior_business_days, prior_period, business_days, complete)
    select ${locationId}, period, from_day, to_day, scripts, cents, patients, male, female, adherent, non_adherent, opportunity,
      prior_scripts, prior_cents, prior_patients, prior_male, prior_female, prior_adherent, prior_non_adherent,
      prior_opportunity, prior_business_days, prior_period, business_days, complete
    from jsonb_to_recordset(${json}::jsonb) as t(period int, from_day date, to_day date, scripts int, cents bigint, patients int, male int, female int,
      adherent int, non_adherent int, opportunity bigint, prior_scripts int, prior_cents bigint, prior_patients int, prior_male int,
      prior_female int, prior_adherent int, prior_non_adherent int, prior_opportunity bigint, prior_business_days int, prior_period int,
      business_days int, complete boolean)`,
  )
}

/** The headline figures of the same dates a year earlier, and where their cells are stored; empty if none are compared. */
function priorOf(computed: Computed, { prior }: MetricSpan, data: DataRange): Record<string, number> {
  if (prior === null) return {}
  const span = computed.spans[prior] as MetricSpan
  const figures = Object.entries(headlineOf(computed, prior)).map(([name, value]) => [`prior_${name}`, value])
  return { ...Object.fromEntries(figures), prior_business_days: openDaysIn(span, data.open), prior_period: span.cells }
}

const daysOf = (span: Span, data: DataRange) => ({
  business_days: openDaysIn(span, data.open),
  complete: isComplete(span, data),
})
const named = ({ period, from, to }: MetricSpan) => ({ period, from_day: formatDay(from), to_day: formatDay(to) })

const periodsOf = (spans: readonly MetricSpan[]) => spans.flatMap(({ period }) => (period === null ? [] : [period]))

/**
 * Replaces metric_cell for the periods, and for the dates they are compared with: the sums behind every cell of the category tables, and
 * the total (category 0). In order of period and subcategory, so that cells a table reads together are stored together.
 */
export async function writeCells(tx: Tx, { locationId, spans, plan, rollup }: Computed): Promise<void> {
  const columns: number[][] = Array.from({ length: 3 + SUMS.length }, () => [])
  const byPeriod = [...spans.keys()]
    .filter((at) => hasCells(spans[at]))
    .sort((a, b) => (spans[a]?.cells ?? 0) - (spans[b]?.cells ?? 0))
  const cells = [...plan.keys.entries()].sort(
    ([, a], [, b]) => a.category - b.category || a.subcategory - b.subcategory,
  )
  for (const span of byPeriod)
    for (const [cell, { category, subcategory }] of cells) {
      const sums = rollup.sumsOf(span, cell)
      if (!sums) continue
      columns[0]?.push(spans[span]?.cells ?? 0)
      columns[1]?.push(category)
      columns[2]?.push(subcategory)
      for (const [at, sum] of sums.entries()) columns[3 + at]?.push(sum)
    }
  const replaced = spans.filter(hasCells).map((span) => span.cells)
  await sql`delete from metric_cell where location_id = ${locationId} and period = any(${replaced}::int[])`.execute(tx)
  // As text: the driver would check the type of each of a hundred thousand numbers.
  const lists = sql.join(columns.map((list) => sql`${`{${list.join(',')}}`}::bigint[]`))
  await insertRows(
    tx,
    sql`insert into metric_cell (location_id, period, category_id, subcategory_id, script_count, revenue_cents, patients, measured_pairs,
      measured_scripts, adherent_scripts, observed_days, covered_days, opportunity_cents, leaked_slots, here_slots)
    select ${locationId}, u.*, u.scripts from unnest(${lists})
      as u(period, category, subcategory, scripts, ${sql.join(SUMS.slice(1).map((name) => sql.ref(name)))})`,
  )
}

/** Replaces patient_measure: every patient's standing at the end of the data, for cohorts. */
export async function writePatients(tx: Tx, { locationId, rollup, people }: Computed): Promise<void> {
  const standing = [...rollup.standing]
  const ids = standing.map(([person]) => people[person]?.id ?? 0)
  const list = (name: 'observed' | 'covered' | 'here' | 'leaked') => standing.map(([, one]) => one[name])
  await sql`delete from patient_measure where location_id = ${locationId}`.execute(tx)
  await sql`
    insert into patient_measure (location_id, patient_id, observed_days, covered_days, here_slots, leaked_slots)
    select ${locationId}, u.* from unnest(${ids}::bigint[], ${list('observed')}::int[], ${list('covered')}::int[],
      ${list('here')}::int[], ${list('leaked')}::int[]) u`.execute(tx)
}
