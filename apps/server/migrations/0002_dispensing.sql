-- The dispensing record. Everything is keyed by location_id first, upserted on (location, source, source id).
-- Facts carry no foreign key to location: row-level security already admits only the scope's own pharmacies, and a
-- check of every row would cost more than the row.

create table category (
  id smallint primary key,
  name text not null unique
);

-- Every subcategory ever seen, in every group; metric rows point here.
create table subcategory (
  id integer generated always as identity primary key,
  category_id smallint not null references category,
  name text not null,
  unique (category_id, name)
);

-- One active ingredient or fixed combination. `key` is the ATC code where known, else the plain name.
create table molecule (
  id integer generated always as identity primary key,
  key text not null unique,
  name text not null,
  atc text,
  components text[] not null,
  chronic boolean not null default false,
  drug_type_id integer not null references subcategory,
  condition_id integer not null references subcategory,
  molecule_id integer not null references subcategory
);
grant select, insert on category, subcategory, molecule to pillar_app;
grant select on category, subcategory, molecule to pillar_report;

create table upload (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  location_id bigint not null references location,
  etl_state text not null check (etl_state in
    ('REQUESTED', 'RECEIVED', 'OVERRIDE', 'NOT RECEIVED', 'PROCESSING', 'ERROR', 'COMPLETED')),
  data_source text not null,
  initial_upload boolean not null default false,
  support_initiated boolean not null default false,
  covers_from date,
  covers_to date,
  date_shift_days integer not null default 0,
  skip_checks boolean not null default false,
  content_hash bytea,
  notes text not null default '',
  location_upload_time timestamptz,
  etl_start_time timestamptz,
  etl_stop_time timestamptz,
  lease_until timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  last_updated timestamptz not null default now()
);
-- One PROCESSING per pharmacy, and the same content never queued twice: held by the database, not by hope.
create unique index upload_one_processing on upload (location_id) where etl_state = 'PROCESSING';
create unique index upload_content on upload (location_id, content_hash)
  where content_hash is not null and etl_state in ('RECEIVED', 'OVERRIDE', 'PROCESSING', 'COMPLETED');
create index upload_queue on upload (location_id, created_at);

create table upload_file (
  id bigint generated always as identity primary key,
  upload_id bigint not null references upload on delete cascade,
  location_id bigint not null,
  file_type text not null,
  file_path text not null,
  bytes bigint not null,
  sha256 bytea not null,
  row_count integer,
  loaded integer,
  faulty integer,
  unique (upload_id, file_type)
);

create table upload_fault (
  upload_id bigint not null references upload on delete cascade,
  location_id bigint not null,
  file_type text not null,
  line integer not null,
  column_name text not null,
  value text not null,
  reason text not null
);
create index upload_fault_upload on upload_fault (upload_id);

create table patient (
  location_id bigint not null,
  id bigint generated always as identity,
  source text not null,
  source_id text not null,
  first_name text,
  last_name text,
  sex char(1) check (sex in ('F', 'M')),
  date_of_birth date,
  address text,
  suburb text,
  state text,
  postcode text,
  mobile text,
  email text,
  facility boolean not null default false,
  deceased_on date,
  sms_opt_out boolean not null default false,
  email_opt_out boolean not null default false,
  fake boolean not null default false,
  -- From the latest dispense; the group the patient's adherence is counted under.
  patient_type smallint,
  updated_at timestamptz not null default now(),
  primary key (location_id, id),
  unique (location_id, source, source_id)
);

create table prescriber (
  location_id bigint not null,
  id bigint generated always as identity,
  source text not null,
  source_id text not null,
  name text,
  number text,
  specialty text,
  postcode text,
  primary key (location_id, id),
  unique (location_id, source, source_id)
);

create table drug (
  location_id bigint not null,
  id bigint generated always as identity,
  source text not null,
  source_id text not null,
  pbs_code text,
  name text not null,
  molecule_id integer not null references molecule,
  strength text,
  form text,
  pack_size integer,
  schedule text,
  chronic boolean not null,
  default_days integer,
  primary key (location_id, id),
  unique (location_id, source, source_id)
);

create table prescription (
  location_id bigint not null,
  id bigint generated always as identity,
  source text not null,
  source_id text not null,
  patient_id bigint not null,
  prescriber_id bigint,
  drug_id bigint not null,
  prescribed_on date,
  repeats_authorised smallint,
  authority text,
  outside boolean not null default false,
  original_pharmacy text,
  ceased_on date,
  primary key (location_id, id),
  unique (location_id, source, source_id)
);

create table script (
  location_id bigint not null,
  source text not null,
  source_id text not null,
  dispensed_on date not null,
  patient_id bigint not null,
  prescriber_id bigint,
  drug_id bigint not null,
  prescription_id bigint,
  units numeric(10, 2),
  supply_number smallint,
  repeats_authorised smallint,
  days_supply smallint not null check (days_supply between 1 and 365),
  -- 1 source, 2 directions, 3 drug default, 4 defined daily dose, 5 thirty days assumed
  days_basis smallint not null,
  -- 0 unknown, then 1..6 in the order of PATIENT_TYPES
  patient_type smallint not null default 0,
  deferred boolean not null default false,
  owing boolean not null default false,
  reversed boolean not null default false,
  patient_price_cents integer not null default 0,
  government_cents integer not null default 0,
  cost_cents integer,
  directions text,
  primary key (location_id, source, source_id)
);

create table stock (
  location_id bigint not null,
  source text not null,
  drug_id bigint not null,
  on_hand numeric(12, 2) not null,
  counted_on date,
  primary key (location_id, drug_id)
);

do $$
declare t text;
begin
  foreach t in array array['upload', 'upload_file', 'upload_fault', 'patient', 'prescriber', 'drug', 'prescription', 'script', 'stock'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to pillar_app using (location_id = any ((select scope_location_ids())::bigint[])) with check (location_id = any ((select scope_location_ids())::bigint[]))', t);
    execute format('grant select, insert, update, delete on %I to pillar_app', t);
  end loop;
end $$;
-- The queue is looked over across pharmacies by the worker that hands out jobs, which sees states and nothing else.
create policy gate on upload to pillar_gate using (true) with check (true);
grant select, insert, update on upload to pillar_gate;
