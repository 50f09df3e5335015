-- People who were erased (decision 061). What stands here names nobody: keyed hashes made with the server's secret, by which an upload that
-- carries the person again is recognised. The same lines stand in DATA_DIR/erasure, outside the database, and are done again after a restore.
alter table patient add column erased_at timestamptz;

create table erasure (
  company_id bigint not null,
  uuid uuid not null,
  erased_at timestamptz not null,
  reason text not null,
  -- records of the person, over the company's pharmacies, when it was first done
  records integer not null,
  primary key (company_id, uuid)
);
create table erasure_key (
  company_id bigint not null,
  -- 'person' name with date of birth, sex and phone or postcode; 'sms' and 'email' where messages went
  kind text not null check (kind in ('person', 'sms', 'email')),
  key text not null,
  erasure uuid not null,
  primary key (company_id, kind, key)
);
-- Numbers of erased patients in the dispensing system of one pharmacy; they stay with the pharmacy when it goes to another company.
create table erasure_record (
  location_id bigint not null,
  key text not null,
  erasure uuid not null,
  primary key (location_id, key)
);
-- Entries of the register of Schedule 8 medicines that name somebody who was erased: the law has them kept, and they are marked.
create table erasure_hold (
  location_id bigint not null,
  source text not null,
  number bigint not null,
  erasure uuid not null,
  primary key (location_id, source, number)
);

select pillar_protect('erasure', 'company', '{pillar_system}');
select pillar_protect('erasure_key', 'company', '{pillar_system}');
select pillar_protect('erasure_record', 'location');
select pillar_protect('erasure_hold', 'location');
-- Nothing is ever taken back.
grant select, insert on erasure, erasure_key, erasure_record, erasure_hold to pillar_app;
grant select on erasure, erasure_key to pillar_system;

grant update, delete on upload_fault, consent_request, contact_history to pillar_app;
-- The log of consent stays as it is but for what names the person in it.
grant update (contact, wording) on consent_entry to pillar_app;
grant delete on trial_link to pillar_app;
