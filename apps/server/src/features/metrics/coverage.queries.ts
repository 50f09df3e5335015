import {
  ADHERENT_THRESHOLD,
  CARRY_IN_DAYS,
  INACTIVE_DAYS,
  MIN_DAYS_SINCE_FIRST,
  MIN_SUPPLIES,
} from '@pillar/domain/dispensing/adherence'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { CoverageWindow } from './spans.ts'

/** No date is this late: stands for "never" where a running maximum must not fall. */
const NEVER = 1_000_000

/** A peak is kept as (shift + NEVER) * PEAK + position, so that one running maximum yields both; a course has fewer supplies than this. */
const PEAK = 1_048_576

/**
 * The pharmacy's counted dispense lines, as `m_line`, one row a line that was supplied (not deferred, not reversed) to a
 * real person, and their patient and molecule pairs, as `m_pair`. Days are whole numbers since 1970-01-01.
 * `first_day` is the pair's first supply as a medicine taken continuously; null for a pair that never is.
 * @param people ids of the patients to look at, as a subquery; everybody by default
 */
export async function buildLines(tx: Tx, locationId: number, people?: RawBuilder<unknown>): Promise<void> {
  await sql`
    create temp table m_dispensed on commit drop as
    select s.patient_id, d.molecule_id, s.dispensed_on - date '1970-01-01' as day, s.days_supply::int as days,
           s.patient_price_cents + s.government_cents as cents, s.patient_type, d.chronic and not p.facility as chronic,
           s.prescription_id, s.supply_number::int as supply_number,
           (extract(year from s.dispensed_on)::int * 12 + extract(month from s.dispensed_on)::int - 1) as month
    from script s
    join drug d on d.location_id = s.location_id and d.id = s.drug_id
    join patient p on p.location_id = s.location_id and p.id = s.patient_id
    where s.location_id = ${locationId} and not s.reversed and not s.deferred and not p.fake
      ${people ? sql`and s.patient_id in (${people})` : sql``}`.execute(tx)
  await sql`analyze m_dispensed`.execute(tx)
  await sql`
    create temp table m_pair on commit drop as
    select row_number() over ()::int as pair_id, g.patient_id, g.molecule_id, g.first_day,
           p.deceased_on - date '1970-01-01' as died, c.ceased
    from (select patient_id, molecule_id, min(day) filter (where chronic) as first_day from m_dispensed group by 1, 2) g
    join patient p on p.location_id = ${locationId} and p.id = g.patient_id
    left join (
      select r.patient_id, d.molecule_id, max(r.ceased_on) - date '1970-01-01' as ceased
      from prescription r join drug d on d.location_id = r.location_id and d.id = r.drug_id
      where r.location_id = ${locationId} and r.ceased_on is not null group by 1, 2
    ) c on c.patient_id = g.patient_id and c.molecule_id = g.molecule_id`.execute(tx)
  await sql`analyze m_pair`.execute(tx)
  await sql`
    create temp table m_line on commit drop as
    select p.pair_id, d.* from m_dispensed d join m_pair p using (patient_id, molecule_id)`.execute(tx)
  await sql`analyze m_line`.execute(tx)
}

/**
 * Slots of prescriptions that went elsewhere, as `m_leak`: repeats below the highest seen that this pharmacy did not
 * dispense, dated between their neighbours, or stepped back by days' supply before the first seen (domain: loyalty.ts).
 */
export async function buildLeaks(tx: Tx): Promise<void> {
  await sql`
    create temp table m_leak on commit drop as
    with gapped as (
      select prescription_id from m_line where prescription_id is not null and supply_number >= 1
      group by prescription_id having max(supply_number) > count(distinct supply_number)
    ), seen as (
      select distinct on (prescription_id, supply_number)
             prescription_id, supply_number as k, day, days, pair_id, patient_id, molecule_id, patient_type, chronic
      from m_line join gapped using (prescription_id) where supply_number >= 1
      order by prescription_id, supply_number, day
    ), neighbours as (
      select *, lag(k) over w as before_k, lag(day) over w as before_day, lag(days) over w as before_days
      from seen window w as (partition by prescription_id order by k)
    ), slots as (
      select pair_id, patient_id, molecule_id, patient_type, chronic, coalesce(before_days, days) as days,
             case when before_k is null then day - (k - n) * days
                  else before_day + (day - before_day) * (n - before_k) / (k - before_k) end as day
      from neighbours, generate_series(coalesce(before_k, 0) + 1, k - 1) as n
    )
    select pair_id, patient_id, molecule_id, patient_type, chronic, days, day from slots`.execute(tx)
  await sql`analyze m_leak`.execute(tx)
}

/**
 * The course of each pair taken continuously, as `m_course`: its supplies in order of their days, as arrays of equal
 * length. `after` is the running sum of days' supply, `shift` = day less the sum before it (domain: coverage.ts), `peak`
 * the running maximum of shift together with where it was last reached (PEAK below), `cents` and `here` running sums of
 * revenue and of supplies made here, `replaced` the first later day on which a medicine that replaces this one was
 * supplied. Lines dated after a recorded death cover nobody's days and are left out here.
 */
export async function buildCourses(tx: Tx): Promise<void> {
  await buildReplacements(tx)
  await sql`
    create temp table m_course on commit drop as
    with supply as (
      select p.pair_id, l.day, l.days, l.cents, 1 as here
      from m_line l join m_pair p using (pair_id) where l.chronic and l.day <= coalesce(p.died, l.day)
      union all
      select p.pair_id, l.day, l.days, 0, 0
      from m_leak l join m_pair p using (pair_id) where l.chronic and p.first_day is not null and l.day <= coalesce(p.died, l.day)
    ), summed as (
      select *, (row_number() over w)::int as at, (sum(days) over w)::int as after, (sum(cents) over w)::int as cents_sum, (sum(here) over w)::int as here_sum
      from supply window w as (partition by pair_id order by day rows unbounded preceding)
    ), peaked as (
      select *, day - (after - days) as shift,
             max((day - (after - days) + ${sql.lit(NEVER)})::bigint * ${sql.lit(PEAK)} + at) over (partition by pair_id order by at rows unbounded preceding) as peak
      from summed
    )
    select s.pair_id, array_agg(s.day order by s.at) as day, array_agg(s.after order by s.at) as after, array_agg(s.shift order by s.at) as shift,
           array_agg(s.peak order by s.at) as peak, array_agg(s.cents_sum order by s.at) as cents, array_agg(s.here_sum order by s.at) as here,
           array_agg(coalesce(r.replaced, ${sql.lit(NEVER)}) order by s.at) as replaced
    from peaked s left join m_replaced r on r.pair_id = s.pair_id and r.day = s.day group by s.pair_id`.execute(tx)
  await sql`analyze m_course (pair_id)`.execute(tx)
}

/** For supplies of pairs whose patient also took a replacing medicine: the first such supply after each (`m_replaced`). */
async function buildReplacements(tx: Tx): Promise<void> {
  await sql`
    create temp table m_replaced on commit drop as
    with used as (select distinct molecule_id from m_pair where first_day is not null),
    replaces as (
      select old.id as old_id, new.id as new_id
      from molecule old join molecule new on new.id <> old.id
        and (left(new.atc, 5) = left(old.atc, 5) and length(old.atc) >= 5
             or cardinality(new.components) > 1 and new.components @> old.components)
      where old.id in (select molecule_id from used) and new.id in (select molecule_id from used)
    ), sibling as (
      select o.pair_id, l.day
      from replaces r
      join m_pair o on o.molecule_id = r.old_id
      join m_pair n on n.molecule_id = r.new_id and n.patient_id = o.patient_id
      join m_line l on l.pair_id = n.pair_id
      where l.chronic and o.first_day is not null
    ), own as (
      select pair_id, l.day from (select distinct pair_id from sibling) s join m_line l using (pair_id) where l.chronic
      union
      select pair_id, l.day from (select distinct pair_id from sibling) s join m_leak l using (pair_id) where l.chronic
    ), merged as (
      select pair_id, day, false as sibling from own union all select pair_id, day, true from sibling
    ), next as (
      select pair_id, day, sibling,
             min(day) filter (where sibling) over (partition by pair_id order by day desc
               range between unbounded preceding and 1 preceding) as replaced
      from merged
    )
    select distinct pair_id, day, replaced from next where not sibling and replaced is not null`.execute(tx)
  await sql`analyze m_replaced`.execute(tx)
}

/** Stretches of days on which a patient counts as active, as `m_active`: from each supply of anything until 180 days pass without one. */
export async function buildActive(tx: Tx): Promise<void> {
  await sql`
    create temp table m_active on commit drop as
    with visit as (select distinct patient_id, day from m_line),
    marked as (
      select patient_id, day, (day - lag(day) over w >= ${sql.lit(INACTIVE_DAYS)})::int as gap
      from visit window w as (partition by patient_id order by day)
    ), numbered as (
      select patient_id, day, sum(coalesce(gap, 0)) over (partition by patient_id order by day) as island from marked
    )
    select patient_id, min(day) as from_day, max(day) + ${sql.lit(INACTIVE_DAYS - 1)} as to_day
    from numbered group by patient_id, island`.execute(tx)
  await sql`analyze m_active`.execute(tx)
}

/** Highest shift among the supplies after position `skipped` up to position `to`: the running peak, unless it lies before them. */
const peakOf = (to: string) => sql`
  case when mod(c.peak[${sql.ref(to)}], ${sql.lit(PEAK)}) > i.skipped then (c.peak[${sql.ref(to)}] / ${sql.lit(PEAK)})::int - ${sql.lit(NEVER)}
       else (select max(one) from unnest(c.shift[i.skipped + 1:${sql.ref(to)}]) one) end`

/**
 * Days observed and covered of every pair in every window, as `m_covered`. Exact for each window: supplies dated up to
 * 365 days before it carry in, early refills queue, each day counts once. Covered days up to a day are the days supplied
 * less the backlog left at its end (domain: coverage.ts, held there against a day-by-day count), so a window needs only
 * three positions in the pair's course: the last supply in it, the last before it, and the last too old to carry in.
 */
export async function buildCoverage(tx: Tx, windows: readonly CoverageWindow[]): Promise<void> {
  await sql`
    create temp table m_covered on commit drop as
    with placed as (
      select w.window_id, w.from_day, w.to_day, c.*, p.patient_id, p.molecule_id, p.first_day, p.died, p.ceased, i.*,
             greatest(w.from_day, p.first_day) as start_day, ${peakOf('i.last')} as end_shift,
             case when i.carried > i.skipped then ${peakOf('i.carried')} end as carry_shift
      from m_course c
      join m_pair p using (pair_id)
      cross join unnest(${windows.map((w) => w.id)}::int[], ${windows.map((w) => w.from)}::int[], ${windows.map((w) => w.to)}::int[])
        as w(window_id, from_day, to_day)
      cross join lateral (
        select width_bucket(w.to_day, c.day) as last, width_bucket(greatest(w.from_day, p.first_day) - 1, c.day) as carried,
               width_bucket(w.from_day - ${sql.lit(CARRY_IN_DAYS + 1)}, c.day) as skipped
        offset 0 -- keeps the planner from working the positions out anew wherever they are used
      ) i
      where w.to_day >= c.day[1] and i.last > i.skipped
    ), ended as (
      select *, after[last] as end_sum, coalesce(after[skipped], 0) as start_sum,
             least(to_day, died, case when ceased >= day[last] then ceased end,
                   case when replaced[last] <= to_day then replaced[last] - 1 end) as end_day
      from placed
    )
    select window_id, pair_id, patient_id, molecule_id, first_day, to_day as at_day, start_day, end_day,
           here[last] - coalesce(here[skipped], 0) as supplies, cents[last] - coalesce(cents[skipped], 0) as cents,
           end_sum - start_sum as days_supplied, end_day - start_day + 1 as observed,
           end_sum - greatest(0, end_shift + end_sum - 1 - end_day)
           - coalesce(after[carried] - greatest(0, carry_shift + after[carried] - start_day), start_sum) as covered
    from ended where end_day >= start_day`.execute(tx)
  await sql`analyze m_covered`.execute(tx)
}

/**
 * Pairs that can be judged on a day, as `m_measured`: at least 90 days since the first supply, at least 2 supplies in the
 * window and its carry-in, patient active. `adherent` is PDC >= 80%.
 * @param trailing pairs of day and window id: the trailing year that decides adherence on that day
 */
export async function buildMeasured(tx: Tx, trailing: ReadonlyMap<number, number>): Promise<void> {
  await sql`
    create temp table m_measured on commit drop as
    select c.at_day, c.pair_id, c.patient_id, c.molecule_id, c.first_day, c.start_day, c.end_day, c.observed, c.covered,
           c.covered >= ${sql.lit(ADHERENT_THRESHOLD)} * c.observed as adherent
    from m_covered c
    where c.window_id = any(${[...trailing.values()]}::int[])
      and c.first_day <= c.at_day - ${sql.lit(MIN_DAYS_SINCE_FIRST)} and c.supplies >= ${sql.lit(MIN_SUPPLIES)}
      and exists (select from m_active a where a.patient_id = c.patient_id and c.at_day between a.from_day and a.to_day)`.execute(
    tx,
  )
  await sql`analyze m_measured`.execute(tx)
}
