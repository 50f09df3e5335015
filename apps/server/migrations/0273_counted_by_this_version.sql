-- What 0262 and 0270 had counted anew may have been counted by workers of the version before, which leave the new columns at 0. Counted once
-- more, and not before those workers are gone.
insert into stat_recount_queue (location_id, company_id, since)
select l.id, l.company_id, now() + interval '15 minutes' from location l
where exists (select from message_stat s where s.location_id = l.id) or exists (select from campaign_stat s where s.location_id = l.id)
on conflict (location_id) do update set since = excluded.since;
