-- Pre-computed numbers, one pharmacy at a time. Sums only: every ratio on screen is divided when read, so that
-- any selection of pharmacies pools exactly. Money in cents.
-- period: year * 100 + 0 for a financial year, + 1..12 for a month, + 21..24 for a quarter.

create table metric_cell (
  location_id bigint not null,
  period integer not null,
  -- 0 is the total over all subcategories
  category_id smallint not null,
  subcategory_id integer not null,
  script_count integer not null,
  revenue_cents bigint not null,
  patients integer not null,
  -- patient and molecule pairs measured for adherence, their scripts, and the scripts of pairs at 80% or more
  measured_pairs integer not null,
  measured_scripts integer not null,
  adherent_scripts integer not null,
  -- days of the period, of measured pairs
  observed_days bigint not null,
  covered_days bigint not null,
  opportunity_cents bigint not null,
  -- prescription slots dated in the period: dispensed here, leaked elsewhere
  here_slots integer not null,
  leaked_slots integer not null,
  primary key (location_id, period, category_id, subcategory_id)
);

create table metric_total (
  location_id bigint not null,
  period integer not null,
  from_day date not null,
  to_day date not null,
  scripts integer not null,
  revenue_cents bigint not null,
  patients integer not null,
  male integer not null,
  female integer not null,
  adherent integer not null,
  non_adherent integer not null,
  opportunity_cents bigint not null,
  -- the same dates one year earlier; null where the pharmacy's history does not reach back that far
  prior_scripts integer,
  prior_patients integer,
  prior_male integer,
  prior_female integer,
  prior_adherent integer,
  prior_non_adherent integer,
  prior_opportunity_cents bigint,
  -- Mondays to Fridays of the period on which something was dispensed
  business_days integer not null,
  primary key (location_id, period)
);

-- Each patient's standing at the newest data: what cohorts filter by.
create table patient_measure (
  location_id bigint not null,
  patient_id bigint not null,
  observed_days integer not null,
  covered_days integer not null,
  here_slots integer not null,
  leaked_slots integer not null,
  primary key (location_id, patient_id)
);

do $$
declare t text;
begin
  foreach t in array array['metric_cell', 'metric_total', 'patient_measure'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to pillar_app using (location_id = any ((select scope_location_ids())::bigint[])) with check (location_id = any ((select scope_location_ids())::bigint[]))', t);
    execute format('grant select, insert, update, delete on %I to pillar_app', t);
  end loop;
end $$;
create policy report on metric_cell for select to pillar_report using (true);
create policy report on metric_total for select to pillar_report using (true);
grant select on metric_cell, metric_total to pillar_report;
