-- Pillar's own boards (decision 047): what a pharmacy brings to closed months and years, kept as it was when they were first counted, and
-- what each company that has a dashboard was shown of them.
create table board_fact (
  location_id bigint not null,
  -- as in average_member: a month, or a financial year
  period integer not null,
  -- of a month: scripts and people by molecule and brand; of a year: arrivals, and how long people stayed
  facts jsonb not null,
  primary key (location_id, period)
);
select pillar_protect('board_fact', 'location', '{pillar_system,pillar_report}');
grant select, insert on board_fact to pillar_app;
grant select (location_id, period) on board_fact to pillar_system;
grant select on board_fact to pillar_report;

-- Written once and never changed, a row for each group of pharmacies of a period (average_member).
create table board_publication (
  company_id bigint not null,
  period integer not null,
  group_no smallint not null,
  -- pharmacies in the group
  pharmacies integer not null,
  parts jsonb not null,
  published_at timestamptz not null,
  primary key (company_id, period, group_no)
);
select pillar_protect('board_publication', 'company', '{pillar_system}');
grant select on board_publication to pillar_app;
grant select, insert on board_publication to pillar_system;

-- A supplier's own products: what their names begin with.
alter table dashboard add column products text[] not null default '{}';
select pillar_protect('dashboard', 'company', '{pillar_staff,pillar_system}');
grant select on dashboard to pillar_system;
-- The names of drug types, which are published as words.
grant select on subcategory to pillar_system;

-- What every pharmacy of a group brings to a period.
create function board_facts(country_code text, period_code integer, group_number integer)
returns table (location_id bigint, company_id bigint, facts jsonb)
language sql stable security definer set search_path = public as $$
  select m.location_id, m.company_id, f.facts
  from average_member m join board_fact f on f.location_id = m.location_id and f.period = m.period
  where m.country = country_code and m.period = period_code and m.group_no = group_number
  order by m.location_id
$$;
grant create on schema public to pillar_report;
alter function board_facts(text, integer, integer) owner to pillar_report;
revoke create on schema public from pillar_report;
revoke all on function board_facts(text, integer, integer) from public;
grant execute on function board_facts(text, integer, integer) to pillar_system;
