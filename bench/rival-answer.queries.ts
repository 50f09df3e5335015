/**
 * The pharmacy by drug type table from the raw scripts, in DuckDB's SQL: scripts, revenue, scripts of measured and of
 * adherent pairs (days covered out of the 365 days to the pharmacy's last day, days carried over from the 365 before,
 * early supplies queued), and slots leaked elsewhere. The definitions are those of packages/domain (adherence, coverage,
 * loyalty); written for one window, where the server's own SQL does every period at once.
 * $pharmacies is a list of pharmacy numbers, $from and $to days since 1970-01-01.
 */
export const ANSWER = `
with bounds as materialized (
  select pharmacy, $from as from_day, least($to, reached) as at_day
  from reach where reached >= $from and list_contains($pharmacies, pharmacy)
), line as materialized (
  select s.pharmacy, s.patient, d.molecule, s.day, s.days, s.cents, s.prescription, s.supply,
         d.chronic and not p.facility as chronic
  from script s join bounds using (pharmacy) join drug d using (pharmacy, drug) join patient p using (pharmacy, patient)
  where s.supplied
), pair as materialized (
  select l.pharmacy, l.patient, l.molecule, min(l.day) filter (where l.chronic) as first_day,
         count(*) filter (where l.day between b.from_day and b.at_day) as scripts,
         sum(l.cents) filter (where l.day between b.from_day and b.at_day) as cents
  from line l join bounds b using (pharmacy) group by all
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
), leak as materialized (
  select pharmacy, patient, molecule, chronic, coalesce(before_days, days)::int as days,
         case when before_k is null then day - (k - n) * days
              else before_day + trunc((day - before_day) * (n - before_k)::double / (k - before_k)) end::int as day
  from slot
), given as (
  select pharmacy, patient, molecule, day, days, chronic, 1 as here from line
  union all select pharmacy, patient, molecule, day, days, chronic, 0 from leak
), queued as (
  select g.*, b.at_day, p.died, (sum(g.days) over w - g.days)::int as before
  from given g join bounds b using (pharmacy) join patient p using (pharmacy, patient)
  where g.chronic and g.day between b.at_day - 729 and b.at_day and (p.died is null or g.day <= p.died)
  window w as (partition by g.pharmacy, g.patient, g.molecule order by g.day rows unbounded preceding)
), judged as materialized (
  select q.pharmacy, q.patient, q.molecule, any_value(q.at_day) as at_day, any_value(q.died) as died, max(q.day) as last_day,
         any_value(greatest(q.at_day - 364, r.first_day)) as start_day,
         max(q.day - q.before) as end_shift, sum(q.days)::int as end_sum, sum(q.here) as supplies,
         max(q.day - q.before) filter (where q.day < greatest(q.at_day - 364, r.first_day)) as carry_shift,
         (sum(q.days) filter (where q.day < greatest(q.at_day - 364, r.first_day)))::int as carry_sum
  from queued q join pair r using (pharmacy, patient, molecule)
  where r.first_day <= q.at_day - 90
  group by q.pharmacy, q.patient, q.molecule having sum(q.here) >= 2
), replaced as (
  select j.pharmacy, j.patient, j.molecule, min(l.day) as day
  from judged j join replaces r on r.old = j.molecule
  join line l on l.pharmacy = j.pharmacy and l.patient = j.patient and l.molecule = r.new
  where l.chronic and l.day > j.last_day and l.day <= j.at_day group by all
), ceased as (
  select x.pharmacy, x.patient, d.molecule, max(x.ceased) as day
  from prescription x join drug d using (pharmacy, drug) where x.ceased is not null group by all
), visit as (
  select l.pharmacy, l.patient, max(l.day) as day from line l join bounds b using (pharmacy) where l.day <= b.at_day group by all
), ended as (
  select j.*, least(j.at_day, coalesce(j.died, j.at_day), coalesce(r.day - 1, j.at_day),
                    case when c.day >= j.last_day then c.day else j.at_day end) as end_day
  from judged j left join replaced r using (pharmacy, patient, molecule) left join ceased c using (pharmacy, patient, molecule)
  join visit v on v.pharmacy = j.pharmacy and v.patient = j.patient and v.day > j.at_day - 180
), standing as (
  select pharmacy, patient, molecule,
         (end_sum - greatest(0, end_shift + end_sum - 1 - end_day))
         - coalesce(carry_sum - greatest(0, carry_shift + carry_sum - start_day), 0) >= 0.8 * (end_day - start_day + 1) as adherent
  from ended where end_day >= start_day
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
