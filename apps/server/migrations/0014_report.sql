-- Message history reports: what was asked for, and the file that waits behind a pharmacy's newest link.

create table report_request (
  id bigint generated always as identity primary key,
  location_id bigint not null,
  company_id bigint not null,
  from_day date not null,
  to_day date not null,
  asked_by bigint not null references login,
  asked_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'mailed', 'failed')),
  attempts smallint not null default 0,
  ended_at timestamptz
);

create table report_file (
  location_id bigint primary key,
  company_id bigint not null,
  filename text not null,
  -- compressed and sealed with a key that is not in the database: it holds patients' names
  content bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

alter table report_request enable row level security;
alter table report_request force row level security;
create policy tenant on report_request to pillar_app
  using (location_id = any ((select scope_location_ids())::bigint[])) with check (location_id = any ((select scope_location_ids())::bigint[]));
create policy gate on report_request to pillar_gate using (true) with check (true);
grant select, insert on report_request to pillar_app;
grant select, update on report_request to pillar_gate;

-- Whoever holds the link is nobody's caller: only the gate sees the files.
alter table report_file enable row level security;
alter table report_file force row level security;
create policy gate on report_file to pillar_gate using (true) with check (true);
grant select, insert, update, delete on report_file to pillar_gate;
