-- What the product average reads of figures is read from them alone, and joined with pharmacies afterwards: on a cluster figures lie on the
-- workers and pharmacies with the coordinator (decision 067). In PL/pgSQL, since a cluster gives no parameters to functions in SQL.
create or replace function average_candidates(country_code text, periods integer[])
returns table (period integer, location_id bigint, company_id bigint)
language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
begin
  return query
    with complete as materialized (
      select t.period, t.location_id from metric_total t
      where t.period = any (periods) and t.complete and t.scripts >= t.business_days * 5)
    select t.period, t.location_id, l.company_id
    from complete t join location l on l.id = t.location_id and l.country = country_code and l.removed_at is null
    where not exists (
      select from average_member m where m.country = country_code and m.period = t.period and m.location_id = t.location_id);
end $$;

create or replace function average_figures(country_code text, period_code integer, group_number integer)
returns table (company_id bigint, category_id smallint, subcategory_id integer, script_count numeric, revenue_cents numeric,
  measured_scripts numeric, adherent_scripts numeric, here_slots numeric, leaked_slots numeric,
  dispensing bigint, earning bigint, measuring bigint, leaking bigint)
language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
declare
  members bigint[] := array(
    select m.location_id from average_member m
    where m.country = country_code and m.period = period_code and m.group_no = group_number);
begin
  return query
    with cell as materialized (
      select c.location_id, c.category_id, c.subcategory_id, c.script_count, c.revenue_cents, c.measured_scripts, c.adherent_scripts,
        c.here_slots, c.leaked_slots
      from metric_cell c where c.location_id = any (members) and c.period = period_code)
    select m.company_id, c.category_id, c.subcategory_id, sum(c.script_count)::numeric, sum(c.revenue_cents), sum(c.measured_scripts)::numeric,
      sum(c.adherent_scripts)::numeric, sum(c.here_slots)::numeric, sum(c.leaked_slots)::numeric,
      count(*) filter (where c.script_count > 0), count(*) filter (where c.revenue_cents <> 0),
      count(*) filter (where c.measured_scripts > 0), count(*) filter (where c.leaked_slots > 0)
    from average_member m join cell c on c.location_id = m.location_id
    where m.country = country_code and m.period = period_code and m.group_no = group_number
    group by m.company_id, c.category_id, c.subcategory_id;
end $$;
