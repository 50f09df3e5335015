-- What cohorts filter on is rebuilt only for patients of whom something changed. Older servers write none of this, so after one of theirs
-- everybody's is built again.
-- The last day of data for which these facts hold, as long as nothing of the patient's supplies changes.
alter table patient_fact add column true_until date;

-- What the facts of a pharmacy were built from: the pharmacy's last upload, its last day of data, the pharmacies of the company, the version
-- of the rules, and its drugs up to a number.
create table fact_base (
  location_id bigint primary key,
  upload_at timestamptz not null,
  data_to date not null,
  shops bigint[] not null,
  rules smallint not null,
  drugs_to bigint not null,
  drugs text not null
);
select pillar_protect('fact_base', 'location');
grant select, insert, update, delete on fact_base to pillar_app;

-- Patients of whom an upload changed a supply or a prescription's end since then.
create table fact_stale (
  location_id bigint not null,
  patient_id bigint not null,
  primary key (location_id, patient_id)
);
select pillar_protect('fact_stale', 'location');
grant select, insert, delete on fact_stale to pillar_app;
