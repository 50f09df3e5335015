-- How many people the revenue of a period rests on: under 100 nothing is said about it. Counted anew for everybody.
alter table message_stat add column earned_people integer not null default 0;
insert into stat_recount_queue (location_id, company_id)
select l.id, l.company_id from location l where exists (select from message_stat s where s.location_id = l.id)
on conflict (location_id) do nothing;

-- The whole of last year's days of a campaign that has an end, also those still to come this year.
alter table campaign_result
  add column whole_base_cents bigint,
  add column whole_base_scripts integer,
  add column whole_base_visits integer;

-- What became of a campaign's messages, by the day they were handed over, planned or held back on the pharmacy's clock.
create table campaign_day (
  location_id bigint not null,
  campaign_id bigint not null,
  day date not null,
  delivered integer not null,
  failed integer not null,
  held_back integer not null,
  -- handed over, with no receipt yet or one that says nothing
  unsettled integer not null,
  primary key (location_id, campaign_id, day)
);
create index campaign_day_campaign on campaign_day (campaign_id);
select pillar_protect('campaign_day', 'location', '{pillar_staff}');
grant select, insert, update, delete on campaign_day to pillar_app;
-- Counts alone; support's lists of campaigns say how many pharmacies made their goal, which needs to know whether anything was sent.
grant select on campaign_day to pillar_staff;
grant select (whole_base_cents, whole_base_scripts, whole_base_visits, to_day) on campaign_result to pillar_staff;

-- Where a campaign stood on some of its days: the same sums as campaign_result, from the start to that day.
create table campaign_point (
  location_id bigint not null,
  campaign_id bigint not null,
  day date not null,
  cents bigint,
  scripts integer,
  visits integer,
  base_cents bigint,
  base_scripts integer,
  base_visits integer,
  -- only where adherence or loyalty is the goal
  measured_pairs integer,
  observed_days bigint,
  covered_days bigint,
  here_slots integer,
  leaked_slots integer,
  primary key (location_id, campaign_id, day)
);
create index campaign_point_campaign on campaign_point (campaign_id);
select pillar_protect('campaign_point', 'location');
grant select, insert, update, delete on campaign_point to pillar_app;
