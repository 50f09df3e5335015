/**
 * The sums behind 60 day dispensing from the raw scripts, in DuckDB's SQL, of every tranche: $pharmacies is a list of pharmacy numbers;
 * $atcs, $items and $sixty are lists of quoted codes (ATC codes, all item codes, item codes for 60 days only); $from and $to are days since
 * 1970-01-01. The definitions were written from docs/metrics.md, not from the code.
 */
export const SIXTY_DAY_ANSWER = `
with product as materialized (
  select d.pharmacy, d.drug, d.molecule,
         list_contains($items, d.pbs) or coalesce(list_contains($atcs, m.atc), false) as listed,
         list_contains($sixty, d.pbs) as sixty
  from drug d join molecule m on m.id = d.molecule
), line as materialized (
  select s.pharmacy, s.patient, p.molecule, s.day, s.cents, p.listed,
         case when p.listed and (p.sixty or s.days > 45) then 2 else 1 end as weight
  from script s join product p using (pharmacy, drug)
  where s.supplied and s.cents >= 0 and s.day between $from and $to and list_contains($pharmacies, s.pharmacy)
), pair as materialized (
  select pharmacy, patient, molecule, sum(weight)::int as n from line where listed group by all
), visit as (
  select l.pharmacy, l.patient, l.day, bool_and(l.listed and coalesce(p.n, 0) >= 2) as alone
  from line l left join pair p using (pharmacy, patient, molecule) group by all
), kept as (
  select pharmacy, patient, count(*) filter (where alone) as alone, count(*) as visits from visit group by all
)
select (select sum(weight)::int from line) as scripts,
  (select count(*)::int from (select distinct pharmacy, patient from line)) as patients,
  (select sum(visits)::int from kept) as visits,
  (select sum(n)::int from pair where n >= 2) as affected_scripts,
  (select count(*)::int from (select distinct pharmacy, patient from pair where n >= 2)) as affected_patients,
  (select sum(n // 2)::int from pair) as script_pairs,
  (select sum(alone // 2)::int from kept) as visit_pairs`
