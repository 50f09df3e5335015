-- People whom a campaign's message was the last one to reach before they opted out. Counted anew for everybody.
alter table campaign_stat add column opt_outs integer not null default 0;
insert into stat_recount_queue (location_id, company_id)
select l.id, l.company_id from location l where exists (select from campaign_stat s where s.location_id = l.id)
on conflict (location_id) do nothing;
