/**
 * The pharmacy by drug type table from the raw scripts, in DuckDB's SQL: scripts, revenue, scripts of measured and of adherent pairs (two
 * days of supply and days covered in the 365 days to the pharmacy's last day, days carried over from the 365 before, early supplies queued,
 * days after a cessation left out), and slots leaked elsewhere. Refunds count only as money. The definitions are those of packages/domain
 * (adherence, coverage, loyalty), written for one window; the server's own SQL does every period at once. $pharmacies is a list of pharmacy
 * numbers, $from and $to days since 1970-01-01.
 */
export const ANSWER = `
with bounds as materialized (
  select pharmacy, $from as from_day, least($to, reached) as at_day,
         (select min(day) from script s where s.pharmacy = reach.pharmacy) as data_from
  from reach where reached >= $from and list_contains($pharmacies, pharmacy)
), paid as materialized (
  select s.pharmacy, s.patient, d.molecule, s.day, s.days, s.cents, s.prescription, s.supply,
         d.chronic and not p.facility as chronic
  from script s join bounds using (pharmacy) join drug d using (pharmacy, drug) join patient p using (pharmacy, patient)
  where s.supplied
), line as materialized (
  select * from paid where cents >= 0
), pair as materialized (
  select l.pharmacy, l.patient, l.molecule, min(l.day) filter (where l.chronic and l.cents >= 0) as first_day,
         count(*) filter (where l.cents >= 0 and l.day between b.from_day and b.at_day) as scripts,
         sum(l.cents) filter (where l.day between b.from_day and b.at_day) as cents
  from paid l join bounds b using (pharmacy) group by all
), gapped as (
  select pharmacy, prescription from line where prescription is not null and supply >= 1
  group by all having max(supply) > count(distinct supply)
), seen as (
  select pharmacy, prescription, supply as k, min(day) as day, arg_min(days, day) as days,
         arg_min(patient, day) as patient, arg_min(molecule, day) as molecule, arg_min(chronic, day) as chronic
  from line join gapped using (pharmacy, prescription) where supply >= 1 group by all
), neighbour as (
  select *, lag(k) over w as before_k, lag(day) over w as before_day, lag(days) over w as before_days
  from seen window w as (partition by pharmacy, prescription order by k)
), slot as (
  select *, unnest(generate_series(coalesce(before_k, 0) + 1, k - 1)) as n from neighbour
  where k > coalesce(before_k, 0) + 1
), placed as (
  select pharmacy, patient, molecule, chronic, coalesce(before_days, days)::int as days,
         case when before_k is null then day - (k - n) * days
              else before_day + trunc((day - before_day) * (n - before_k)::double / (k - before_k)) end::int as day
  from slot
), leak as materialized (
  select l.* from placed l join bounds b using (pharmacy) where l.day >= b.data_from
), given as materialized (
  select g.*, greatest(b.at_day - 364, r.first_day) as start_day, b.at_day, p.died
  from (
    select pharmacy, patient, molecule, day, days, chronic, 1 as here from line
    union all select pharmacy, patient, molecule, day, days, chronic, 0 from leak
  ) g join bounds b using (pharmacy) join pair r using (pharmacy, patient, molecule) join patient p using (pharmacy, patient)
  where g.chronic and g.day <= b.at_day and r.first_day <= b.at_day - 90 and (p.died is null or g.day <= p.died)
), queued as materialized (
  select *, (sum(days) over w - days)::int as before from given where day >= start_day - 365
  window w as (partition by pharmacy, patient, molecule order by day rows unbounded preceding)
), judged as materialized (
  select pharmacy, patient, molecule, any_value(at_day) as at_day, any_value(died) as died, max(day) as last_day,
         any_value(start_day) as start_day, max(day - before) as end_shift, sum(days)::int as end_sum,
         max(day - before) filter (where day < start_day) as carry_shift,
         (sum(days) filter (where day < start_day))::int as carry_sum
  from queued group by pharmacy, patient, molecule having count(distinct day) filter (where here = 1 and day >= start_day) >= 2
), replaced as (
  select j.pharmacy, j.patient, j.molecule, min(l.day) as day
  from judged j join replaces r on r.old = j.molecule
  join line l on l.pharmacy = j.pharmacy and l.patient = j.patient and l.molecule = r.new
  where l.chronic and l.day > j.last_day and l.day <= j.at_day group by all
), visit as (
  select l.pharmacy, l.patient, max(l.day) as day from line l join bounds b using (pharmacy) where l.day <= b.at_day group by all
), ended as materialized (
  select j.*, least(j.at_day, coalesce(j.died, j.at_day), coalesce(r.day - 1, j.at_day)) as end_day
  from judged j left join replaced r using (pharmacy, patient, molecule)
  join visit v on v.pharmacy = j.pharmacy and v.patient = j.patient and v.day > j.at_day - 180
), ceased as (
  select distinct x.pharmacy, x.patient, d.molecule, x.ceased as day
  from prescription x join drug d using (pharmacy, drug) where x.ceased is not null
), reopened as (
  select e.pharmacy, e.patient, e.molecule, c.day, e.start_day, e.end_day,
         min(g.day) filter (where g.day > c.day) as next_day
  from ended e join ceased c using (pharmacy, patient, molecule) join given g using (pharmacy, patient, molecule)
  group by all having min(g.day) <= c.day
), closed as (
  select pharmacy, patient, molecule, min(day) as day, greatest(min(day) + 1, start_day) as from_day,
         least(coalesce(next_day - 1, end_day), end_day) as to_day
  from reopened group by pharmacy, patient, molecule, start_day, end_day, next_day
), stock as (
  select c.pharmacy, c.patient, c.molecule, c.from_day, c.to_day, max(q.day - q.before) as shift, sum(q.days)::int as given
  from closed c left join queued q
    on q.pharmacy = c.pharmacy and q.patient = c.patient and q.molecule = c.molecule and q.day <= c.day
  where c.to_day >= c.from_day group by all
), shut as (
  select pharmacy, patient, molecule, sum(to_day - from_day + 1) as days,
         sum(coalesce(greatest(0, shift + given - from_day) - greatest(0, shift + given - 1 - to_day), 0)) as covered
  from stock group by all
), standing as (
  select e.pharmacy, e.patient, e.molecule,
         10 * ((e.end_sum - greatest(0, e.end_shift + e.end_sum - 1 - e.end_day))
           - coalesce(e.carry_sum - greatest(0, e.carry_shift + e.carry_sum - e.start_day), 0) - coalesce(s.covered, 0))
         >= 8 * (e.end_day - e.start_day + 1 - coalesce(s.days, 0)) as adherent
  from ended e left join shut s using (pharmacy, patient, molecule)
  where e.end_day - e.start_day + 1 > coalesce(s.days, 0)
), lost as (
  select l.pharmacy, l.patient, l.molecule, count(*) as leaked
  from leak l join bounds b using (pharmacy) where l.day between b.from_day and b.at_day group by all
)
select p.pharmacy, m.drug_type, sum(p.scripts) as scripts, coalesce(sum(p.cents), 0) as cents,
       coalesce(sum(p.scripts) filter (where s.adherent is not null), 0) as measured,
       coalesce(sum(p.scripts) filter (where s.adherent), 0) as adherent, coalesce(sum(l.leaked), 0) as leaked
from pair p join molecule m on m.id = p.molecule
left join standing s using (pharmacy, patient, molecule) left join lost l using (pharmacy, patient, molecule)
group by all`
