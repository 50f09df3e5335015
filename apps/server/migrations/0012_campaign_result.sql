-- What campaigns came to, per pharmacy. Money in cents unless a name says dollars.

-- The run's own window, the same for everybody it selected: 30 days from its start, and the same days a year earlier.
-- Comparisons of people messaged with people who were not use it; cents above are cut where a later message takes over.
alter table touch add column run_cents integer not null default 0, add column run_pre_cents integer not null default 0,
  -- false where the pharmacy's history does not reach a year before the days that count
  add column whole_year boolean not null default false;

-- Counted from the messages; test patients are left out.
create table campaign_stat (
  location_id bigint not null,
  campaign_id bigint not null,
  sms integer not null,
  email integer not null,
  reach integer not null,
  cost_cents bigint not null,
  templates integer not null,
  receipts_to timestamptz,
  primary key (location_id, campaign_id)
);
create index campaign_stat_campaign on campaign_stat (campaign_id);

-- Where the people stand whom the campaign's runs selected, held back or not: sums from its start, adherence and loyalty at both ends.
create table campaign_result (
  location_id bigint not null,
  campaign_id bigint not null,
  from_day date not null,
  -- last day counted: of the campaign or of the data
  to_day date not null,
  people integer not null,
  -- null before the data reach the start
  cents bigint,
  scripts integer,
  visits integer,
  -- the same dates a year earlier; null where the history does not reach back that far
  base_cents bigint,
  base_scripts integer,
  base_visits integer,
  -- on to_day, and on the day before the start (null while the data do not reach it)
  observed_days bigint not null,
  covered_days bigint not null,
  here_slots integer not null,
  leaked_slots integer not null,
  base_observed_days bigint,
  base_covered_days bigint,
  base_here_slots integer,
  base_leaked_slots integer,
  -- of people reached: dispensed in the days that count, and what their own past year let expect
  attributed_people integer not null,
  attributed_cents bigint not null,
  expected_cents bigint not null,
  computed_to date not null,
  primary key (location_id, campaign_id)
);
create index campaign_result_campaign on campaign_result (campaign_id);

-- Count, sum and sum of squares of dollars a person, for comparing groups.
create table campaign_group (
  location_id bigint not null,
  campaign_id bigint not null,
  -- treated: handed to a gateway, whatever became of it
  part text not null check (part in ('treated', 'held_out', 'not_messaged')),
  n integer not null,
  dollars double precision not null,
  dollars_squared double precision not null,
  -- dispensed in the run's window less that of the same days a year earlier
  change_n integer not null,
  change_dollars double precision not null,
  change_squared double precision not null,
  -- treated people's dollars among change_n
  change_base double precision not null,
  primary key (location_id, campaign_id, part)
);
create index campaign_group_campaign on campaign_group (campaign_id);

do $$
declare t text;
begin
  foreach t in array array['campaign_stat', 'campaign_result', 'campaign_group'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to pillar_app using (location_id = any ((select scope_location_ids())::bigint[])) with check (location_id = any ((select scope_location_ids())::bigint[]))', t);
    execute format('grant select, insert, update, delete on %I to pillar_app', t);
  end loop;
end $$;
