-- Which of these handles no patient, message or reply names, of whatever company: what they stand for may be deleted. The role that asks
-- sees nothing else of those tables.
create policy report on patient for select to pillar_report using (true);
create policy report on message for select to pillar_report using (true);
create policy report on message_reply for select to pillar_report using (true);
grant select (sms_to, email_to) on patient to pillar_report;
grant select (contact) on message to pillar_report;
grant select (sender) on message_reply to pillar_report;

create function unused_contacts(text[]) returns setof text
language sql stable security definer set search_path = public as $$
  select h from unnest($1) h
  where not exists (select from patient p where p.sms_to = h) and not exists (select from patient p where p.email_to = h)
    and not exists (select from message m where m.contact = h) and not exists (select from message_reply r where r.sender = h)
$$;
grant create on schema public to pillar_report;
alter function unused_contacts(text[]) owner to pillar_report;
revoke create on schema public from pillar_report;
revoke all on function unused_contacts(text[]) from public;
grant execute on function unused_contacts(text[]) to pillar_app, pillar_system;
