import { AGE_BANDS, UNCLASSIFIED } from '@pillar/domain/category'
import type { Day } from '@pillar/domain/day'
import { PATIENT_TYPES } from '@pillar/domain/upload-format'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { categoryId } from './subcategory.queries.ts'

/**
 * What each patient got in each span, as `m_part`: one row a span, patient, molecule and patient type. Everything else
 * is summed from here, so the parts of every category add up to the same total.
 */
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
    create temp table m_part on commit drop as
    select s.span_id, l.patient_id, l.molecule_id, l.patient_type, count(*)::int as scripts, sum(l.cents) as cents
    from m_line l join m_span_month s using (month)
    where l.day between s.from_day and s.to_day
    group by s.span_id, l.patient_id, l.molecule_id, l.patient_type`.execute(tx)
  await sql`analyze m_part`.execute(tx)
}

/** Measured pairs of each span with the days and the money of the span itself, as `m_money`. */
async function buildMoney(tx: Tx): Promise<void> {
  // Uncovered days at the pair's own revenue per day supplied: uncovered / mean days' supply x mean revenue per script.
  await sql`
    create temp table m_money on commit drop as
    select s.span_id, m.pair_id, m.patient_id, m.molecule_id, m.adherent, coalesce(c.observed, 0) as observed, coalesce(c.covered, 0) as covered,
           coalesce(round((c.observed - c.covered)::numeric * c.cents / nullif(c.days_supplied, 0)), 0)::bigint as opportunity
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
      select span_id, patient_id, sum(scripts) as scripts, sum(cents) as cents from m_part group by 1, 2
    ), counted as (
      select h.span_id, sum(h.scripts)::int as scripts, sum(h.cents)::bigint as cents, count(*)::int as patients,
             count(*) filter (where p.sex = 'M')::int as male, count(*) filter (where p.sex = 'F')::int as female
      from people h join patient p on p.location_id = ${locationId} and p.id = h.patient_id group by 1
    ), judged as (
      select at_day, patient_id, sum(covered) >= 0.8 * sum(observed) as adherent from m_measured group by 1, 2
    ), standing as (
      select at_day, count(*) filter (where adherent)::int as adherent, count(*) filter (where not adherent)::int as non_adherent
      from judged group by 1
    ), money as (select span_id, sum(opportunity)::bigint as opportunity from m_money group by 1),
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
  await buildDimensions(tx, locationId)
  await sql`delete from metric_cell where location_id = ${locationId} and period in (select period from m_span)`.execute(
    tx,
  )
  await sql`
    create temp table m_leaked on commit drop as
    select s.span_id, l.patient_id, l.molecule_id, l.patient_type, count(*)::int as leaked
    from m_leak l join m_span s on l.day between s.from_day and s.to_day and s.period is not null group by 1, 2, 3, 4`.execute(
    tx,
  )
  // One row a patient and molecule in a span, from lines, leaks and measured pairs alike.
  await sql`
    create temp table m_row on commit drop as
    select p.span_id, p.patient_id, p.molecule_id, p.patient_type, p.scripts, p.cents, 0 as leaked, m.adherent,
           false as judged, 0 as observed, 0 as covered, 0::bigint as opportunity
    from m_part p join m_span s using (span_id)
    left join m_measured m on m.at_day = s.to_day and m.patient_id = p.patient_id and m.molecule_id = p.molecule_id
    where s.period is not null
    union all
    select span_id, patient_id, molecule_id, patient_type, 0, 0, leaked, null, false, 0, 0, 0 from m_leaked
    union all
    select m.span_id, m.patient_id, m.molecule_id, d.patient_type, 0, 0, 0, null, true, m.observed, m.covered, m.opportunity
    from m_money m join m_span s using (span_id) join m_person d using (patient_id) where s.period is not null`.execute(
    tx,
  )
  await sql`analyze m_row`.execute(tx)
  const byMolecule = (category: 'Drug Type' | 'Condition' | 'Molecule', column: string) =>
    insertCells(
      tx,
      locationId,
      categoryId(category),
      sql`join molecule x on x.id = r.molecule_id`,
      sql.ref(`x.${column}`),
    )
  await insertCells(tx, locationId, 0, sql``, sql`0`)
  await byMolecule('Drug Type', 'drug_type_id')
  await byMolecule('Condition', 'condition_id')
  await byMolecule('Molecule', 'molecule_id')
  await insertCells(tx, locationId, categoryId('Sex'), sql`join m_person x using (patient_id)`, sql`x.sex_id`)
  await insertCells(
    tx,
    locationId,
    categoryId('Age Group'),
    sql`join m_age x using (span_id, patient_id)`,
    sql`x.age_id`,
  )
  await insertCells(tx, locationId, categoryId('Patient Type'), sql`join m_type x using (patient_type)`, sql`x.type_id`)
}

async function insertCells(
  tx: Tx,
  locationId: number,
  category: number,
  join: RawBuilder<unknown>,
  subcategory: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into metric_cell (location_id, period, category_id, subcategory_id, script_count, revenue_cents, patients, measured_pairs,
      measured_scripts, adherent_scripts, observed_days, covered_days, opportunity_cents, here_slots, leaked_slots)
    with person as (
      select r.span_id, r.patient_id, ${subcategory} as subcategory_id, sum(r.scripts) as scripts, sum(r.cents) as cents, sum(r.leaked) as leaked,
             count(*) filter (where r.judged) as pairs, sum(r.scripts) filter (where r.adherent is not null) as measured,
             sum(r.scripts) filter (where r.adherent) as adherent, sum(r.observed) as observed, sum(r.covered) as covered,
             sum(r.opportunity) as opportunity
      from m_row r ${join} group by 1, 2, 3
    )
    select ${locationId}, s.period, ${sql.lit(category)}, p.subcategory_id, sum(p.scripts), sum(p.cents), count(*) filter (where p.scripts > 0),
           sum(p.pairs), coalesce(sum(p.measured), 0), coalesce(sum(p.adherent), 0), sum(p.observed), sum(p.covered), sum(p.opportunity),
           sum(p.scripts), sum(p.leaked)
    from person p join m_span s using (span_id) group by s.period, p.subcategory_id`.execute(tx)
}

/** Patients' sex, age band at each span's end and latest patient type, as ids of subcategories. */
async function buildDimensions(tx: Tx, locationId: number): Promise<void> {
  const id = (category: number, name: RawBuilder<unknown>) =>
    sql`(select id from subcategory where category_id = ${sql.lit(category)} and name = ${name})`
  const lit = (text: string) => sql.lit(text)
  await sql`
    create temp table m_person on commit drop as
    select p.id as patient_id, coalesce(p.patient_type, 0)::smallint as patient_type,
           extract(year from p.date_of_birth)::int * 10000 + extract(month from p.date_of_birth)::int * 100 + extract(day from p.date_of_birth)::int as born,
           case p.sex when 'F' then ${id(categoryId('Sex'), lit('Female'))} when 'M' then ${id(categoryId('Sex'), lit('Male'))}
                      else ${id(categoryId('Sex'), lit(UNCLASSIFIED))} end as sex_id
    from patient p where p.location_id = ${locationId}`.execute(tx)
  await sql`analyze m_person`.execute(tx)
  const bands = AGE_BANDS.slice(1).map((band) => band.from)
  const age = categoryId('Age Group')
  await sql`
    create temp table m_age on commit drop as
    with names as (select * from unnest(${AGE_BANDS.map((band) => band.name)}::text[]) with ordinality as n(name, at)),
    ids as (select n.at::int as at, c.id from names n join subcategory c on c.category_id = ${sql.lit(age)} and c.name = n.name)
    select k.span_id, k.patient_id,
           coalesce(case when p.born <= s.to_ymd then i.id end, ${id(age, lit(UNCLASSIFIED))}) as age_id
    from (select span_id, patient_id from m_part union select span_id, patient_id from m_money) k
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
