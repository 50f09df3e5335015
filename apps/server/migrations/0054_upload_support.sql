-- What support does about uploads: asks for them, looks at them, removes them, and works through the pharmacies that need somebody.

-- A request: who asked, when, and for which time. created_at of an upload is when its files arrived, which is the order they are loaded in.
alter table upload
  add column requested_at timestamptz,
  add column requested_by bigint references login,
  add column requested_from timestamptz,
  add column requested_to timestamptz,
  -- What was found in the files of a load that ended: people in the scripts, and the days these span.
  add column patients integer,
  add column first_day date,
  add column last_day date;
-- Pharmacies whose uploads did not end well, and open requests: few beside those completed.
create index upload_unfinished on upload (location_id, created_at) where etl_state <> 'COMPLETED';
create index upload_requested on upload (requested_at) where etl_state = 'REQUESTED';

alter table upload_file add column uuid uuid not null default gen_random_uuid();
create unique index upload_file_uuid on upload_file (location_id, uuid);
select pillar_protect('upload_file', 'location', '{pillar_staff}');
grant select (id, uuid, upload_id, location_id, file_type, file_path, bytes, row_count, loaded, faulty) on upload_file to pillar_staff;
grant insert (uuid, location_id, etl_state, data_source, initial_upload, support_initiated, requested_at, requested_by, requested_from, requested_to)
  on upload to pillar_staff;

-- The work list: who looks after a pharmacy's uploads, what they noted, and until when it is snoozed.
create table upload_work (
  location_id bigint primary key references location,
  assigned_to bigint references login,
  note text not null default '',
  snoozed_until timestamptz,
  -- Snoozed until the pharmacy is in another state than this.
  snoozed_state text,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by bigint references login
);
select pillar_protect('upload_work', 'nobody', '{pillar_staff}');
grant select, insert, update, delete on upload_work to pillar_staff;
