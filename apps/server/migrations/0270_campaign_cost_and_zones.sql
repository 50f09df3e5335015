-- Cost of a campaign's messages to people whose revenue is in no sum: those whose data do not reach the message yet, and those together with
-- whoever has no year of data before. Its return leaves them out. Counted anew for everybody.
alter table campaign_stat
  add column unread_cents bigint not null default 0,
  add column unmeasured_cents bigint not null default 0;
insert into stat_recount_queue (location_id, company_id)
select l.id, l.company_id from location l where exists (select from campaign_stat s where s.location_id = l.id)
on conflict (location_id) do nothing;

-- Time zones a pharmacy had before: what its register was read by then.
alter table location add column earlier_zones text[] not null default '{}';
grant select (earlier_zones), update (earlier_zones) on location to pillar_staff;
