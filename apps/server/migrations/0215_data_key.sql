-- Keys that seal single fields, one line of them for each column. They lie here wrapped: what unwraps them (KEYS, DATA_DIR/keys) never does.
create table data_key (
  id integer generated always as identity primary key,
  -- 'patient.address'
  column_name text not null,
  made_at timestamptz not null default now(),
  -- Every process has read it by then: the newest key past this moment seals, all of them open.
  writes_from timestamptz not null default now(),
  -- How far rows were sealed again with it: the pharmacies up to this one, how many rows, and when all were through.
  swept_location bigint not null default 0,
  swept_rows bigint not null default 0,
  swept_at timestamptz
);
create index data_key_column on data_key (column_name, writes_from);

create table data_key_wrap (
  data_key_id integer not null references data_key on delete cascade,
  -- which key of the installation wrapped it: the beginning of that key's hash
  key_id text not null check (key_id ~ '^[0-9a-f]{16}$'),
  wrapped bytea not null,
  primary key (data_key_id, key_id)
);

grant select, insert, update, delete on data_key, data_key_wrap to pillar_system;
