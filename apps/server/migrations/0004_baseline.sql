-- The product average: sums over every pharmacy of a country whose uploads cover the period, whoever owns it. Only sums
-- leave the function, and none when fewer than five pharmacies stand behind them.
create function baseline_sums(country_code text, period_code integer, categories smallint[], needed_business_days integer)
returns table (category_id smallint, subcategory_id integer, pharmacies bigint, script_count numeric, revenue_cents numeric,
               measured_pairs numeric, measured_scripts numeric, adherent_scripts numeric, here_slots numeric, leaked_slots numeric)
language sql stable security definer set search_path = public as $$
  with included as materialized (
    select t.location_id from metric_total t join location l on l.id = t.location_id
    where l.country = country_code and l.removed_at is null and t.period = period_code and t.business_days >= needed_business_days
  ), enough as (select count(*) as pharmacies from included having count(*) >= 5)
  select c.category_id, c.subcategory_id, e.pharmacies, sum(c.script_count), sum(c.revenue_cents), sum(c.measured_pairs),
         sum(c.measured_scripts), sum(c.adherent_scripts), sum(c.here_slots), sum(c.leaked_slots)
  from enough e, metric_cell c
  where c.location_id = any (array(select location_id from included)) and c.period = period_code and c.category_id = any (categories)
  group by c.category_id, c.subcategory_id, e.pharmacies
$$;
grant create on schema public to pillar_report;
alter function baseline_sums(text, integer, smallint[], integer) owner to pillar_report;
revoke create on schema public from pillar_report;
revoke all on function baseline_sums(text, integer, smallint[], integer) from public;
grant execute on function baseline_sums(text, integer, smallint[], integer) to pillar_app;
