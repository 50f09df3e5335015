import { FIGURE_SUMS } from '@pillar/domain/measure/figure-sums'
import { type Day, formatDay } from '@pillar/domain/time/day'
import type { Period } from '@pillar/domain/time/period'
import { sql } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import { calendarOf } from '../../src/db/local-calendar.ts'
import {
  type Cell,
  cellKey,
  cellsOf,
  type Figures as FiguresOf,
  figuresOf,
  type Headline,
  headlineOf,
  standingOf,
} from './metrics-oracle/figure.ts'
import { endsOf, moreOf, partsOf } from './metrics-oracle/more.ts'
import { type Book, openBook } from './metrics-oracle/supply.ts'
import type { Pharmacy } from './metrics-world.ts'

type Sums = Record<string, number | string | null>
type Figures = Record<string, Sums>

/** All stored figures of a pharmacy: headlines, cells, other sums, how long medicines were taken, and the standing of each patient. */
interface StoredFigures {
  totals: Figures
  cells: Figures
  more: Figures
  ends: Figures
  standing: Figures
}

const codeOf = ({ kind, key }: Period) => {
  const year = Number(key.slice(0, 4)) * 100
  if (kind === 'year') return year
  return kind === 'month' ? year + Number(key.slice(5)) : year + 20 + Number(key.slice(5))
}

const holidaysOf = ({ country, region, timeZone }: Pharmacy): ReadonlySet<Day> =>
  calendarOf({ country, region, postcode: null, time_zone: timeZone }).holidays

const isEmpty = (sums: Sums) => Object.values(sums).every((value) => value === 0 || value === null)

/** Rows by name; a row of zeros means the same as no row. */
function named(rows: Iterable<[string, Sums]>): Figures {
  return Object.fromEntries([...rows].filter(([, sums]) => !isEmpty(sums)))
}

/** What the oracle says must be stored. */
export function expected(world: Pharmacy): StoredFigures {
  const book = openBook(world)
  const all = figuresOf(book, world.country, world.dataTo, holidaysOf(world))
  const prior = (of: Headline | null) => ({
    prior_scripts: of?.scripts ?? null,
    prior_revenue_cents: of?.revenue_cents ?? null,
    prior_patients: of?.patients ?? null,
    prior_male: of?.male ?? null,
    prior_female: of?.female ?? null,
    prior_adherent: of?.adherent ?? null,
    prior_non_adherent: of?.non_adherent ?? null,
    prior_opportunity_cents: of?.opportunity_cents ?? null,
  })
  return {
    totals: named(
      all.map((one) => [
        `${codeOf(one.period)} ${formatDay(one.span.from)} ${formatDay(one.span.to)}`,
        { ...one.headline, business_days: one.businessDays, complete: Number(one.complete), ...prior(one.prior) },
      ]),
    ),
    cells: named(
      all.flatMap((one) =>
        [...one.cells].map(([key, cell]): [string, Sums] => [`${codeOf(one.period)} ${key}`, { ...cell }]),
      ),
    ),
    more: named(all.flatMap((one) => moreRows(book, world, one))),
    ends: named(all.flatMap((one) => endRows(book, world, one))),
    standing: named([...standingOf(book, world.dataTo)].map(([patient, sums]) => [patient, { ...sums }])),
  }
}

/** The sums of the figures of a span: those of its total, and the others. */
function sumsOf(book: Book, world: Pharmacy, span: FiguresOf['span']): Sums {
  const total = cellsOf(book, span).get(cellKey('TOTAL', 'TOTAL'))
  const { scripts, revenue_cents, patients, adherent, non_adherent } = headlineOf(book, span)
  const ofTotal = (['measured_pairs', 'measured_scripts', 'adherent_scripts', 'leaked_slots'] as const).map(
    (name) => [name, total?.[name] ?? 0] as const,
  )
  return {
    ...{ scripts, revenue_cents, patients, ...Object.fromEntries(ofTotal) },
    ...{ adherent_patients: adherent, measured_patients: adherent + non_adherent, ...moreOf(book, world, span) },
  }
}

/** The sums of a period's figures; and the cells and sums of the dates it is compared with. */
function moreRows(book: Book, world: Pharmacy, one: FiguresOf): [string, Sums][] {
  const { span, priorSpan: before } = one
  const code = codeOf(one.period)
  const now: [string, Sums][] = [
    [String(code), sumsOf(book, world, span)],
    [`${code} open`, { business_days: one.businessDays }],
  ]
  if (before === null) return now
  const cells = [...cellsOf(book, before)].map(([key, cell]): [string, Sums] => [`${code} before ${key}`, { ...cell }])
  const { volume_cents, price_cents } = partsOf(book, span, before)
  const parts = { volume_cents: Math.round(volume_cents), price_cents: Math.round(price_cents) }
  return [...now, [`${code} before`, sumsOf(book, world, before)], [`${code} parts`, parts], ...cells]
}

function endRows(book: Book, world: Pharmacy, { period }: FiguresOf): [string, Sums][] {
  return [...endsOf(book, period, world.dataTo)].flatMap(([group, ends]) =>
    [...ends].map(([day, [stopped, lost]]): [string, Sums] => [`${codeOf(period)} ${group} ${day}`, { stopped, lost }]),
  )
}

const MORE_COLUMNS = [
  ...['scripts', 'revenue_cents', 'patients', 'measured_pairs', 'measured_scripts', 'adherent_scripts', 'leaked_slots'],
  ...['adherent_patients', 'measured_patients', ...FIGURE_SUMS, 'owing_scripts', 'deferred_scripts'],
]
const TOTAL_COLUMNS = `scripts, revenue_cents, patients, male, female, adherent, non_adherent, opportunity_cents,
  business_days, complete::int as complete, prior_scripts, prior_revenue_cents, prior_patients, prior_male, prior_female, prior_adherent, prior_non_adherent,
  prior_opportunity_cents`
const CELL_COLUMNS: readonly (keyof Cell)[] = [
  'script_count',
  'revenue_cents',
  'patients',
  'measured_pairs',
  'measured_scripts',
  'adherent_scripts',
  'observed_days',
  'covered_days',
  'opportunity_cents',
  'here_slots',
  'leaked_slots',
]

/** What is stored, in the oracle's form; read in the pharmacy's scope. */
export async function stored(tx: Tx, id: number): Promise<StoredFigures> {
  const read = async (query: string) => {
    const { rows } = await sql<{ name: string } & Sums>`${sql.raw(query)}`.execute(tx)
    return named(rows.map(({ name, ...sums }) => [name, numbers(sums)]))
  }
  return {
    totals: await read(
      `select period || ' ' || from_day || ' ' || to_day as name, ${TOTAL_COLUMNS} from metric_total where location_id = ${id}`,
    ),
    cells: await read(
      `with m as materialized (select * from metric_cell where location_id = ${id} and period > 0)
       select m.period || ' ' || coalesce(c.name || '|' || s.name, 'TOTAL|TOTAL') as name, ${CELL_COLUMNS.join(', ')}
       from m left join subcategory s on s.id = m.subcategory_id left join category c on c.id = s.category_id`,
    ),
    more: {
      ...(await read(
        `select period::text as name, ${MORE_COLUMNS.join(', ')} from metric_figure where location_id = ${id} and period > 0`,
      )),
      ...(await read(
        `select period || ' open' as name, business_days from metric_figure where location_id = ${id} and period > 0`,
      )),
      ...(await read(
        `select f.period || ' before' as name, ${MORE_COLUMNS.map((name) => `p.${name}`).join(', ')} from metric_figure f
         join metric_figure p on p.location_id = f.location_id and p.period = f.prior_period where f.location_id = ${id} and f.period > 0`,
      )),
      ...(await read(
        `select period || ' parts' as name, volume_cents, price_cents from metric_figure
         where location_id = ${id} and period > 0 and volume_cents is not null`,
      )),
      ...(await read(
        `with m as materialized (
           select t.period as compared, m.* from metric_total t
           join metric_cell m on m.location_id = t.location_id and m.period = t.prior_period where t.location_id = ${id})
         select m.compared || ' before ' || coalesce(c.name || '|' || s.name, 'TOTAL|TOTAL') as name, ${CELL_COLUMNS.map((name) => `m.${name}`).join(', ')}
         from m left join subcategory s on s.id = m.subcategory_id left join category c on c.id = s.category_id`,
      )),
    },
    ends: await read(
      `with m as materialized (select * from metric_persistence where location_id = ${id})
       select m.period || ' ' || coalesce(s.name, 'all') || ' ' || u.day as name, u.stopped, u.lost
       from m left join subcategory s on s.id = m.drug_type_id
       cross join lateral unnest(m.days, m.stopped, m.lost) as u(day, stopped, lost)`,
    ),
    standing: await read(
      `select p.source_id as name, observed_days, covered_days, here_slots, leaked_slots
       from patient_measure m join patient p on p.location_id = m.location_id and p.id = m.patient_id
       where m.location_id = ${id}`,
    ),
  }
}

/** Every differing number, in words: a whole world is too much to read. */
export function differences(found: StoredFigures, counted: StoredFigures): string[] {
  const said: string[] = []
  for (const table of ['totals', 'cells', 'more', 'ends', 'standing'] as const) {
    for (const row of new Set([...Object.keys(found[table]), ...Object.keys(counted[table])])) {
      const [one, other] = [found[table][row], counted[table][row]]
      for (const name of Object.keys(one ?? other ?? {})) {
        const [is, should] = [one ? one[name] : 'no row', other ? other[name] : 'no row']
        if (is !== should && (one && other ? true : one?.[name] || other?.[name])) {
          said.push(`${table} ${row} ${name}: stored ${is}, counted ${should}`)
        }
      }
    }
  }
  return said
}

const numbers = (sums: Sums): Sums =>
  Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, value === null ? null : Number(value)]))
