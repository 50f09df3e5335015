import { AGE_BANDS, type Category, UNCLASSIFIED } from '@pillar/domain/dispensing/category'
import { PATIENT_TYPES } from '@pillar/domain/dispensing/patient-type'
import type { Day } from '@pillar/domain/time/day'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { categoryId } from './subcategory.queries.ts'

/** What each patient got of each molecule in each span, as `m_part`; split by patient type, as `m_part_type`. */
async function buildParts(tx: Tx): Promise<void> {
  await sql`
    create temp table m_span_month on commit drop as
    select s.*, m as month from m_span s, generate_series(
      extract(year from date '1970-01-01' + s.from_day)::int * 12 + extract(month from date '1970-01-01' + s.from_day)::int - 1,
      extract(year from date '1970-01-01' + s.to_day)::int * 12 + extract(month from date '1970-01-01' + s.to_day)::int - 1) as m`.execute(
    tx,
  )
  await sql`analyze m_span_month`.execute(tx)
  await sql`
    create temp table m_part_type on commit drop as
    select s.span_id, l.pair_id, l.patient_type, count(*)::int as scripts, sum(l.cents)::int as cents
    from m_line l join m_span_month s using (month)
    where l.day between s.from_day and s.to_day
    group by s.span_id, l.pair_id, l.patient_type`.execute(tx)
  await sql`analyze m_part_type`.execute(tx)
  await sql`
    create temp table m_part on commit drop as
    select span_id, pair_id, sum(scripts)::int as scripts, sum(cents)::int as cents from m_part_type group by 1, 2`.execute(
    tx,
  )
  await sql`analyze m_part`.execute(tx)
}

/** Measured pairs of each span with the days and the money of the span itself, as `m_money`. */
async function buildMoney(tx: Tx): Promise<void> {
  // Uncovered days at the pair's own revenue per day supplied: uncovered / mean days' supply x mean revenue per script.
  await sql`
    create temp table m_money on commit drop as
    select s.span_id, m.pair_id, m.adherent, coalesce(c.observed, 0) as observed, coalesce(c.covered, 0) as covered,
           coalesce(floor((c.observed - c.covered)::float8 * c.cents / nullif(c.days_supplied, 0) + 0.5), 0)::int as opportunity
    from m_span s
    join m_measured m on m.at_day = s.to_day
    left join m_covered c on c.window_id = s.window_id and c.pair_id = m.pair_id`.execute(tx)
  await sql`analyze m_money`.execute(tx)
}

/** Writes metric_total: the headline numbers of each period and, beside them, those of the same dates a year earlier. */
export async function writeTotals(tx: Tx, locationId: number): Promise<void> {
  await buildParts(tx)
  await buildMoney(tx)
  await sql`
    create temp table m_headline on commit drop as
    with people as (
      select m.span_id, p.patient_id, sum(m.scripts)::int as scripts, sum(m.cents)::int as cents
      from m_part m join m_pair p using (pair_id) group by 1, 2
    ), counted as (
      select h.span_id, sum(h.scripts)::int as scripts, sum(h.cents) as cents, count(*)::int as patients,
             count(*) filter (where p.sex = 'M')::int as male, count(*) filter (where p.sex = 'F')::int as female
      from people h join patient p on p.location_id = ${locationId} and p.id = h.patient_id group by 1
    ), judged as (
      select at_day, patient_id, sum(covered) >= 0.8 * sum(observed) as adherent from m_measured group by 1, 2
    ), standing as (
      select at_day, count(*) filter (where adherent)::int as adherent, count(*) filter (where not adherent)::int as non_adherent
      from judged group by 1
    ), money as (select span_id, sum(opportunity) as opportunity from m_money group by 1),
    business as (
      select s.span_id, count(distinct l.day) filter (where extract(isodow from date '1970-01-01' + l.day) < 6)::int as days
      from (select distinct day, month from m_line) l join m_span_month s using (month)
      where l.day between s.from_day and s.to_day group by 1
    )
    select s.span_id, s.period, s.prior_id, s.from_day, s.to_day, coalesce(c.scripts, 0) as scripts, coalesce(c.cents, 0) as cents,
           coalesce(c.patients, 0) as patients, coalesce(c.male, 0) as male, coalesce(c.female, 0) as female,
           coalesce(t.adherent, 0) as adherent, coalesce(t.non_adherent, 0) as non_adherent,
           coalesce(m.opportunity, 0) as opportunity, coalesce(b.days, 0) as business_days
    from m_span s left join counted c using (span_id) left join standing t on t.at_day = s.to_day
    left join money m using (span_id) left join business b using (span_id)`.execute(tx)
  await sql`delete from metric_total where location_id = ${locationId} and period in (select period from m_span)`.execute(
    tx,
  )
  await sql`
    insert into metric_total (location_id, period, from_day, to_day, scripts, revenue_cents, patients, male, female, adherent, non_adherent,
      opportunity_cents, prior_scripts, prior_patients, prior_male, prior_female, prior_adherent, prior_non_adherent, prior_opportunity_cents, business_days)
    select ${locationId}, h.period, date '1970-01-01' + h.from_day, date '1970-01-01' + h.to_day, h.scripts, h.cents, h.patients, h.male, h.female,
           h.adherent, h.non_adherent, h.opportunity, p.scripts, p.patients, p.male, p.female, p.adherent, p.non_adherent, p.opportunity, h.business_days
    from m_headline h left join m_headline p on p.span_id = h.prior_id where h.period is not null`.execute(tx)
}

/** Writes metric_cell: the sums behind every cell of the category tables, and the total (category 0). */
export async function writeCells(tx: Tx, locationId: number): Promise<void> {
  await buildPeople(tx, locationId)
  await buildRows(tx)
  await buildAgesAndTypes(tx)
  await sql`delete from metric_cell where location_id = ${locationId} and period in (select period from m_span)`.execute(
    tx,
  )
  const id = (category: Category) => sql.lit(categoryId(category))
  await insertCells(
    tx,
    locationId,
    sql`
    select r.span_id, ${id('Molecule')}::int as category_id, x.molecule_id as subcategory_id, ${SUMS}
    from m_row r join molecule x on x.id = r.molecule_id group by 1, 2, 3`,
  )
  for (const [category, column] of [
    ['Drug Type', 'drug_type_id'],
    ['Condition', 'condition_id'],
  ] as const) {
    await insertCells(tx, locationId, sumsByMoleculeGroup(category, column))
  }
  await insertCells(
    tx,
    locationId,
    sql`
    select r.span_id, case when grouping(p.sex_id) = 0 then ${id('Sex')} when grouping(a.age_id) = 0 then ${id('Age Group')} else 0 end as category_id,
           coalesce(p.sex_id, a.age_id, 0) as subcategory_id, ${SUMS}
    from m_row_person r join m_person p using (patient_id) join m_age a using (span_id, patient_id)
    group by grouping sets ((r.span_id), (r.span_id, p.sex_id), (r.span_id, a.age_id))`,
  )
  await insertCells(
    tx,
    locationId,
    sql`
    select r.span_id, ${id('Patient Type')}::int as category_id, x.type_id as subcategory_id, ${SUMS}
    from m_row_type r join m_type x using (patient_type) group by 1, 2, 3`,
  )
}

/**
 * Drug types and conditions are groups of molecules: their sums are sums of the molecules' rows. Only patients must be
 * counted anew, since one who takes two molecules of a group counts once in it.
 */
function sumsByMoleculeGroup(category: Category, column: 'drug_type_id' | 'condition_id'): RawBuilder<unknown> {
  const group = sql.ref(`x.${column}`)
  return sql`
    with sums as (
      select r.span_id, ${group} as subcategory_id, ${SUMS} from m_row r join molecule x on x.id = r.molecule_id group by 1, 2
    ), heads as (
      select span_id, subcategory_id, count(*) as heads
      from (select distinct r.span_id, ${group} as subcategory_id, r.patient_id from m_row r join molecule x on x.id = r.molecule_id where r.scripts > 0) d
      group by 1, 2
    )
    select s.span_id, ${sql.lit(categoryId(category))}::int as category_id, s.subcategory_id,
           ${sql.join(COLUMNS.map((name) => sql.ref(`s.${name}`)))}, coalesce(h.heads, 0) as patients
    from sums s left join heads h using (span_id, subcategory_id)`
}

const COLUMNS = [
  'scripts',
  'cents',
  'leaked',
  'pairs',
  'measured',
  'adherent',
  'observed',
  'covered',
  'opportunity',
] as const

/** Sums kept as plain integers: a patient's figures in one span fit, and adding integers is far cheaper than numeric. */
const PERSON_SUMS = sql.join(COLUMNS.map((column) => sql`sum(r.${sql.ref(column)})::int as ${sql.ref(column)}`))
const SUMS = sql.join([
  ...COLUMNS.map((column) => sql`sum(r.${sql.ref(column)}) as ${sql.ref(column)}`),
  sql`count(*) filter (where r.scripts > 0) as patients`,
])

/**
 * What the cells are summed from: `m_row`, one row a span and pair, with its scripts, its leaked slots and, when it is
 * measured, its days (a measured pair without a script in the span still counts); `m_row_person` the same a patient;
 * `m_row_type` a patient and patient type.
 */
async function buildRows(tx: Tx): Promise<void> {
  await sql`
    create temp table m_leaked on commit drop as
    select s.span_id, l.pair_id, l.patient_type, count(*)::int as leaked
    from m_leak l join m_span s on l.day between s.from_day and s.to_day where s.period is not null group by 1, 2, 3`.execute(
    tx,
  )
  await sql`analyze m_leaked`.execute(tx)
  await sql`
    create temp table m_row on commit drop as
    select span_id, pair_id, p.patient_id, p.molecule_id, coalesce(r.scripts, 0) as scripts, coalesce(r.cents, 0) as cents, coalesce(l.leaked, 0) as leaked,
           (m.adherent is not null)::int as pairs, case when m.adherent is not null then coalesce(r.scripts, 0) else 0 end as measured,
           case when m.adherent then coalesce(r.scripts, 0) else 0 end as adherent, coalesce(m.observed, 0) as observed,
           coalesce(m.covered, 0) as covered, coalesce(m.opportunity, 0) as opportunity
    from m_part r
    full join m_money m using (span_id, pair_id)
    full join (select span_id, pair_id, sum(leaked)::int as leaked from m_leaked group by 1, 2) l using (span_id, pair_id)
    join m_span s using (span_id)
    join m_pair p using (pair_id)
    where s.period is not null`.execute(tx)
  await sql`analyze m_row`.execute(tx)
  await sql`
    create temp table m_row_person on commit drop as
    select r.span_id, r.patient_id, ${PERSON_SUMS} from m_row r group by 1, 2`.execute(tx)
  await sql`analyze m_row_person`.execute(tx)
  await buildTypedRows(tx)
}

/** Scripts go by their own patient type; a measured pair's days by the patient's latest. */
async function buildTypedRows(tx: Tx): Promise<void> {
  await sql`
    create temp table m_row_type on commit drop as
    with every as (
      select r.span_id, p.patient_id, r.patient_type, r.scripts, r.cents, 0 as leaked, 0 as pairs,
             case when m.adherent is not null then r.scripts else 0 end as measured, case when m.adherent then r.scripts else 0 end as adherent,
             0 as observed, 0 as covered, 0 as opportunity
      from m_part_type r join m_span s using (span_id) join m_pair p using (pair_id) left join m_money m using (span_id, pair_id)
      where s.period is not null
      union all
      select l.span_id, p.patient_id, l.patient_type, 0, 0, l.leaked, 0, 0, 0, 0, 0, 0 from m_leaked l join m_pair p using (pair_id)
      union all
      select r.span_id, r.patient_id, d.patient_type, 0, 0, 0, r.pairs, 0, 0, r.observed, r.covered, r.opportunity
      from m_row_person r join m_person d using (patient_id) where r.pairs > 0
    )
    select r.span_id, r.patient_id, r.patient_type, ${PERSON_SUMS} from every r group by 1, 2, 3`.execute(tx)
  await sql`analyze m_row_type`.execute(tx)
}

/** Stores summed rows of (span_id, category_id, subcategory_id, sums…) under their periods: in order, so that what a table reads together lies together. */
async function insertCells(tx: Tx, locationId: number, sums: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into metric_cell (location_id, period, category_id, subcategory_id, script_count, revenue_cents, patients, measured_pairs,
      measured_scripts, adherent_scripts, observed_days, covered_days, opportunity_cents, here_slots, leaked_slots)
    select ${locationId}, s.period, c.category_id, c.subcategory_id, c.scripts, c.cents, c.patients, c.pairs,
           c.measured, c.adherent, c.observed, c.covered, c.opportunity, c.scripts, c.leaked
    from (${sums}) c join m_span s using (span_id)
    order by s.period, c.subcategory_id`.execute(tx)
}

const subcategoryId = (category: Category, name: string) =>
  sql`(select id from subcategory where category_id = ${sql.lit(categoryId(category))} and name = ${sql.lit(name)})`

/** Patients' latest type, date of birth as a number and sex, as `m_person`. */
async function buildPeople(tx: Tx, locationId: number): Promise<void> {
  await sql`
    create temp table m_person on commit drop as
    select p.id as patient_id, coalesce(p.patient_type, 0)::smallint as patient_type,
           extract(year from p.date_of_birth)::int * 10000 + extract(month from p.date_of_birth)::int * 100
             + extract(day from p.date_of_birth)::int as born,
           case p.sex when 'F' then ${subcategoryId('Sex', 'Female')} when 'M' then ${subcategoryId('Sex', 'Male')}
                      else ${subcategoryId('Sex', UNCLASSIFIED)} end as sex_id
    from patient p where p.location_id = ${locationId}`.execute(tx)
  await sql`analyze m_person`.execute(tx)
}

/** The age band of every patient at the end of every span (`m_age`), and the subcategory of every patient type (`m_type`). */
async function buildAgesAndTypes(tx: Tx): Promise<void> {
  const bands = AGE_BANDS.slice(1).map((band) => band.from)
  const age = categoryId('Age Group')
  await sql`
    create temp table m_age on commit drop as
    with names as (select * from unnest(${AGE_BANDS.map((band) => band.name)}::text[]) with ordinality as n(name, at)),
    ids as (select n.at::int as at, c.id from names n join subcategory c on c.category_id = ${sql.lit(age)} and c.name = n.name)
    select k.span_id, k.patient_id,
           coalesce(case when p.born <= s.to_ymd then i.id end, ${subcategoryId('Age Group', UNCLASSIFIED)}) as age_id
    from m_row_person k
    join m_span s using (span_id) join m_person p using (patient_id)
    left join ids i on i.at = width_bucket((s.to_ymd - p.born) / 10000, ${bands}::int[]) + 1`.execute(tx)
  await sql`analyze m_age`.execute(tx)
  await sql`
    create temp table m_type on commit drop as
    select t.patient_type::smallint as patient_type, c.id as type_id
    from unnest(${[UNCLASSIFIED, ...PATIENT_TYPES]}::text[]) with ordinality as n(name, at)
    cross join lateral (select n.at - 1 as patient_type) t
    join subcategory c on c.category_id = ${sql.lit(categoryId('Patient Type'))} and c.name = n.name`.execute(tx)
}

/** Replaces patient_measure: where every patient stands at the newest data, for cohorts. Loyalty counts the 365 days to `dataTo`. */
export async function writePatients(tx: Tx, locationId: number, dataTo: Day): Promise<void> {
  await tx.deleteFrom('patient_measure').where('location_id', '=', locationId).execute()
  await sql`
    insert into patient_measure (location_id, patient_id, observed_days, covered_days, here_slots, leaked_slots)
    with standing as (select patient_id, sum(observed)::int as observed, sum(covered)::int as covered from m_measured where at_day = ${dataTo} group by 1),
    here as (select patient_id, count(*)::int as here from m_line where day > ${dataTo - 365} and day <= ${dataTo} group by 1),
    leaked as (select patient_id, count(*)::int as leaked from m_leak where day > ${dataTo - 365} and day <= ${dataTo} group by 1)
    select ${locationId}, patient_id, coalesce(s.observed, 0), coalesce(s.covered, 0), coalesce(h.here, 0), coalesce(l.leaked, 0)
    from standing s full join here h using (patient_id) full join leaked l using (patient_id)`.execute(tx)
}
