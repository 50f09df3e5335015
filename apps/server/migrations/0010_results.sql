-- What messages came to. Money in cents.

-- One row for each person a run selected: what was dispensed to them in the days that count for it, and before.
create table touch (
  location_id bigint not null,
  run_id bigint not null,
  patient_id bigint not null,
  campaign_id bigint,
  -- messaged: delivered; attempted: handed over, no delivery known; held_out: kept back at random; not_messaged: passed the filters,
  -- and no contact or consent
  part text not null check (part in ('messaged', 'attempted', 'held_out', 'not_messaged')),
  -- day of the first delivery, or of the run's start, by the pharmacy's clock
  from_day date not null,
  -- last day that counts: 30 days, cut where the data end and where the next message takes over; null before the data reach from_day
  to_day date,
  cents integer not null default 0,
  scripts integer not null default 0,
  visits integer not null default 0,
  -- the 365 days before, and the same days one year earlier
  year_before_cents integer not null default 0,
  pre_cents integer not null default 0,
  -- how far the data reached when this was worked out
  computed_to date,
  primary key (location_id, run_id, patient_id)
);
create index touch_patient on touch (location_id, patient_id, from_day);
create index touch_campaign on touch (campaign_id) where campaign_id is not null;

-- A pharmacy's messages in a calendar period: year * 100 + 0 for the year, + 1..12 for a month, + 21..24 for a quarter.
create table message_stat (
  location_id bigint not null,
  period integer not null,
  sms integer not null,
  email integer not null,
  reach integer not null,
  sms_parts integer not null,
  cost_cents bigint not null,
  campaign_messages integer not null,
  trial_messages integer not null,
  normal_messages integer not null,
  queued integer not null,
  sent integer not null,
  failed integer not null,
  skipped integer not null,
  unknown integer not null,
  -- of people first reached in the period; null while the data do not reach them
  revenue_cents bigint,
  expected_cents bigint,
  failures jsonb not null default '[]',
  receipts_to timestamptz,
  primary key (location_id, period)
);

-- Pharmacies whose statistics are to be made anew.
create table message_stat_due (
  location_id bigint primary key,
  company_id bigint not null,
  since timestamptz not null default now()
);

do $$
declare t text;
begin
  foreach t in array array['touch', 'message_stat', 'message_stat_due'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to pillar_app using (location_id = any ((select scope_location_ids())::bigint[])) with check (location_id = any ((select scope_location_ids())::bigint[]))', t);
    execute format('grant select, insert, update, delete on %I to pillar_app', t);
  end loop;
end $$;
create policy gate on message_stat_due to pillar_gate using (true);
grant select on message_stat_due to pillar_gate;
