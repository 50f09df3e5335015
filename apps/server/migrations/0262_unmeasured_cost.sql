-- Cost of messages to people whose revenue is in no sum: ROI leaves out both. Counted anew for everybody.
alter table message_stat add column unmeasured_cents bigint not null default 0;
insert into stat_recount_queue (location_id, company_id)
select l.id, l.company_id from location l where exists (select from message_stat s where s.location_id = l.id)
on conflict (location_id) do nothing;
