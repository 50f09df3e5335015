-- Planned anew for each call. PostgreSQL before 18 plans a function in SQL for a few values, whatever comes, and then reads everybody's contacts
-- once for each of them: with 24,000 that took 17 s, so the night's removal of contacts was cut off every time.
create or replace function unused_contacts(handles text[]) returns setof text
language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
  return query select h from unnest(handles) h
    where not exists (select from patient p where p.sms_to = h) and not exists (select from patient p where p.email_to = h)
      and not exists (select from message m where m.contact = h) and not exists (select from message_reply r where r.sender = h);
end $$;
