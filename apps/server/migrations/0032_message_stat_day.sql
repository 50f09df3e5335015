-- A pharmacy's messages by the day they count to, so that a running period can be compared with the same days a year earlier. People
-- reached do not add up over days, and are compared for whole periods only.
create table message_stat_day (
  location_id bigint not null,
  day date not null,
  sms integer not null,
  email integer not null,
  cost_cents bigint not null,
  primary key (location_id, day)
);
alter table message_stat_day enable row level security;
alter table message_stat_day force row level security;
create policy tenant on message_stat_day to pillar_app
  using (location_id = any (scope_location_ids())) with check (location_id = any (scope_location_ids()));
grant select, insert, update, delete on message_stat_day to pillar_app;

insert into message_stat_due (location_id, company_id)
select distinct location_id, company_id from message_batch on conflict (location_id) do nothing;
