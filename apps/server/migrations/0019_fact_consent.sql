-- A cohort is counted at every change of a filter: what patients have agreed to is kept beside the other facts asked of them, always the
-- same as in consent. Bits: 1 and 2 sms_health_outreach, 4 and 8 sms_marketing, 16 and 32 email_health_outreach, 64 and 128 email_marketing
-- (0 unknown, 1 in, 2 out), 256 imported_sms_opt_out, 512 imported_email_opt_out.
alter table patient_fact add column consent smallint not null default 0;

create function consent_bits(c consent) returns smallint language sql immutable parallel safe as $$
  select (array_position('{unknown,in,out}', c.sms_health_outreach) - 1
    + 4 * (array_position('{unknown,in,out}', c.sms_marketing) - 1)
    + 16 * (array_position('{unknown,in,out}', c.email_health_outreach) - 1)
    + 64 * (array_position('{unknown,in,out}', c.email_marketing) - 1)
    + 256 * c.imported_sms_opt_out::int + 512 * c.imported_email_opt_out::int)::smallint
$$;

update patient_fact f set consent = consent_bits(c) from consent c where c.location_id = f.location_id and c.patient_id = f.patient_id;

-- Whoever may write a consent may write the facts of that pharmacy: row security of the writer applies.
create function keep_fact_consent() returns trigger language plpgsql as $$
begin
  update patient_fact f set consent = consent_bits(n) from written n
  where f.location_id = n.location_id and f.patient_id = n.patient_id and f.consent <> consent_bits(n);
  return null;
end $$;
create function forget_fact_consent() returns trigger language plpgsql as $$
begin
  update patient_fact f set consent = 0 from gone g where f.location_id = g.location_id and f.patient_id = g.patient_id;
  return null;
end $$;
create trigger keep_fact_consent_added after insert on consent referencing new table as written
  for each statement execute function keep_fact_consent();
create trigger keep_fact_consent_changed after update on consent referencing new table as written
  for each statement execute function keep_fact_consent();
create trigger forget_fact_consent after delete on consent referencing old table as gone
  for each statement execute function forget_fact_consent();

-- The few who may share a number or address, looked at once more.
create index patient_fact_shared on patient_fact (location_id, patient_id) where sms_shared or email_shared;
