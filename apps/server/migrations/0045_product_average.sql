-- The product average: closed months, published once, to each company over the pharmacies of the others (decision 032).
-- Pharmacies enter a period in groups, and nobody ever leaves; what a group shows a company is written once and never changed.
create table average_member (
  country text not null,
  -- as in metric_total
  period integer not null,
  location_id bigint not null,
  -- whose the pharmacy was when it entered
  company_id bigint not null,
  group_no smallint not null,
  entered_at timestamptz not null,
  primary key (country, period, location_id)
);
select pillar_protect('average_member', 'nobody', '{pillar_system,pillar_report}');
grant select, insert on average_member to pillar_system;
grant select on average_member to pillar_report;
-- Which molecules a drug type or a condition is made of.
grant select on molecule to pillar_system;

-- What one group of other companies' pharmacies adds up to, for one company: sums over at least 5 pharmacies of 3 companies, none of
-- them over half. Null where a figure is hidden; a row of category 0 is there even when it hides everything.
create table product_average (
  company_id bigint not null,
  period integer not null,
  group_no smallint not null,
  -- 0 is the total over all subcategories
  category_id smallint not null,
  subcategory_id integer not null,
  -- pharmacies of the group, less the company's own
  pharmacies integer not null,
  script_count bigint,
  revenue_cents bigint,
  measured_scripts bigint,
  adherent_scripts bigint,
  here_slots bigint,
  leaked_slots bigint,
  primary key (company_id, period, category_id, subcategory_id, group_no)
);
select pillar_protect('product_average', 'company', '{pillar_system}');
grant select on product_average to pillar_app;
grant select, insert on product_average to pillar_system;

-- Pharmacies that may enter a period they are not in: enough days with scripts, and enough scripts.
create function average_candidates(country_code text, periods integer[], needed_days integer[], needed_scripts integer[])
returns table (period integer, location_id bigint, company_id bigint)
language sql stable security definer set search_path = public as $$
  select t.period, t.location_id, l.company_id
  from unnest(periods, needed_days, needed_scripts) as asked(period, days, scripts)
  join metric_total t on t.period = asked.period and t.business_days >= asked.days and t.scripts >= asked.scripts
  join location l on l.id = t.location_id and l.country = country_code and l.removed_at is null
  where not exists (
    select from average_member m where m.country = country_code and m.period = t.period and m.location_id = t.location_id)
$$;

-- The sums of one group of a period by company, with how many of its pharmacies have any of each.
create function average_figures(country_code text, period_code integer, group_number integer)
returns table (company_id bigint, category_id smallint, subcategory_id integer, script_count numeric, revenue_cents numeric,
  measured_scripts numeric, adherent_scripts numeric, here_slots numeric, leaked_slots numeric,
  dispensing bigint, earning bigint, measuring bigint, leaking bigint)
language sql stable security definer set search_path = public as $$
  select m.company_id, c.category_id, c.subcategory_id, sum(c.script_count), sum(c.revenue_cents), sum(c.measured_scripts),
         sum(c.adherent_scripts), sum(c.here_slots), sum(c.leaked_slots), count(*) filter (where c.script_count > 0),
         count(*) filter (where c.revenue_cents <> 0), count(*) filter (where c.measured_scripts > 0), count(*) filter (where c.leaked_slots > 0)
  from average_member m join metric_cell c on c.location_id = m.location_id and c.period = m.period
  where m.country = country_code and m.period = period_code and m.group_no = group_number
  group by m.company_id, c.category_id, c.subcategory_id
$$;

grant create on schema public to pillar_report;
alter function average_candidates(text, integer[], integer[], integer[]) owner to pillar_report;
alter function average_figures(text, integer, integer) owner to pillar_report;
revoke create on schema public from pillar_report;
revoke all on function average_candidates(text, integer[], integer[], integer[]) from public;
revoke all on function average_figures(text, integer, integer) from public;
grant execute on function average_candidates(text, integer[], integer[], integer[]) to pillar_system;
grant execute on function average_figures(text, integer, integer) to pillar_system;

drop function baseline_sums(text, integer, smallint[], integer);
