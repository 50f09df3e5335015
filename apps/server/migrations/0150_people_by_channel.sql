-- People reached by each channel: a board shows a channel where ten people got it, however many messages these got.
alter table message_stat add column sms_people integer not null default 0, add column email_people integer not null default 0;
insert into stat_recount_queue (location_id, company_id)
select l.id, l.company_id from location l where exists (select from message_stat s where s.location_id = l.id)
on conflict (location_id) do nothing;
