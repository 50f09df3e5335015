-- Cohorts are counted at every keystroke, so that everything they ask of a patient stands in one narrow row.
alter table patient_fact
  add column born date,
  add column sex char(1),
  -- bits: 1 has died, 2 lives in a care facility, 4 test patient
  add column barred smallint not null default 0,
  -- 0 no mobile number or address written down, 1 not usable, 2 usable
  add column sms_state smallint not null default 0,
  add column email_state smallint not null default 0,
  -- hashes of patient.sms_to and email_to: whoever shares one is messaged once
  add column sms_key bigint,
  add column email_key bigint,
  -- the dispensing system says that the patient wants none
  add column sms_opt_out boolean not null default false,
  add column email_opt_out boolean not null default false,
  -- 0 letters of one GSM septet each, 1 letters of one UTF-16 unit each that force Unicode, 2 anything else: counted one by one
  add column first_name_kind smallint not null default 0,
  add column last_name_kind smallint not null default 0;

-- An e-mail's subject as the patient reads it, frozen with its body.
alter table message add column if not exists subject text;

-- Who made a template or campaign: the name and nothing else of a login is visible to tenant queries.
create view login_name with (security_barrier) as
  select id as login_id, first_name || ' ' || last_name as name from login where company_id = (select scope_company_id());
grant select on login_name to pillar_app;
