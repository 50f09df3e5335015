-- Whether somebody else of the company may have the same number or address: only these patients are looked at for duplicates, which
-- takes most of the time away. True where it is so; it may stay true where it was so.
alter table patient_fact
  add column sms_shared boolean not null default true,
  add column email_shared boolean not null default true;
create index patient_fact_sms_key on patient_fact (sms_key);
create index patient_fact_email_key on patient_fact (email_key);

-- The pharmacies of the transaction's company, for work that follows an upload of one and concerns all.
create function company_location_ids() returns bigint[] language sql stable security definer set search_path = public as
  $$ select coalesce(array_agg(id), '{}') from location where company_id = scope_company_id() $$;
grant create on schema public to pillar_report;
alter function company_location_ids() owner to pillar_report;
revoke create on schema public from pillar_report;
revoke all on function company_location_ids() from public;
grant execute on function company_location_ids() to pillar_app;
