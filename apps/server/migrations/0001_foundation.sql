-- Roles. The owner (whoever runs migrations) owns everything; nobody connects as the owner while serving.
--   pillar_app     tenant data, always behind row-level security
--   pillar_gate    sign-in, sessions, keys and mail: what must be read before anyone's company is known
--   pillar_report  owns the few functions that look across companies and give back only sums
do $$
begin
  if not exists (select from pg_roles where rolname = 'pillar_app') then create role pillar_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'pillar_gate') then create role pillar_gate nologin; end if;
  if not exists (select from pg_roles where rolname = 'pillar_report') then create role pillar_report nologin; end if;
  execute format('grant pillar_app, pillar_gate, pillar_report to %I', current_user);
end $$;

revoke create on schema public from public;
grant usage on schema public to pillar_app, pillar_gate, pillar_report;

-- What the transaction may see. Set with set_config(..., true) only, so it ends with the transaction;
-- unset means nothing, never everything.
create function scope_location_ids() returns bigint[] language sql stable parallel safe as
  $$ select coalesce(nullif(current_setting('pillar.location_ids', true), '')::bigint[], '{}') $$;
create function scope_company_id() returns bigint language sql stable parallel safe as
  $$ select nullif(current_setting('pillar.company_id', true), '')::bigint $$;

create table company (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  name text not null unique,
  type text not null default 'enterprise',
  country text not null default 'AU' check (country in ('AU', 'GB', 'US')),
  sixty_day_signup boolean not null default false,
  cloud_ecdr boolean not null default false,
  ad_dashboard boolean not null default false,
  supplier_dashboard boolean not null default false,
  demo boolean not null default false,
  created_at timestamptz not null default now()
);

create table login (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  company_id bigint not null references company,
  username text not null,
  email text not null,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  sr_login boolean not null default false,
  guild_login boolean not null default false,
  clinical_trials_login boolean not null default false,
  sixty_day_signup boolean not null default false,
  data_analytics boolean not null default false,
  supplier_analytics boolean not null default false,
  ad_analytics boolean not null default false,
  ecdr boolean not null default false,
  portal_eula_at timestamptz,
  disabled_at timestamptz,
  must_change_password boolean not null default false,
  password_changed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- Either signs in, so nobody may be called by someone else's address.
  check (position('@' in username) = 0 or lower(username) = lower(email))
);
create unique index login_username on login (lower(username));
create unique index login_email on login (lower(email));

create table session (
  id uuid primary key,
  login_id bigint not null references login on delete cascade,
  secret_hash bytea not null unique,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  ended_at timestamptz
);
create index session_login on session (login_id) where ended_at is null;

create table access_token (
  token_hash bytea primary key,
  session_id uuid not null references session on delete cascade,
  expires_at timestamptz not null
);
create index access_token_session on access_token (session_id);

create table step_up_grant (
  grant_hash bytea primary key,
  session_id uuid not null references session on delete cascade,
  action text,
  object text,
  expires_at timestamptz not null,
  used_at timestamptz
);

-- Mailed and texted links. Only a keyed hash of the token is kept; the newest link of a purpose and subject is the one that works.
create table link (
  token_hash bytea primary key,
  purpose text not null,
  subject_id bigint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index link_subject on link (purpose, subject_id) where used_at is null;

create table mail (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  -- Sealed with a key that is not in the database: a letter may hold a link that works. Null once it has left.
  body bytea,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  failure text
);

-- Counters of failed attempts; the columns and their order are those of rate-limiter-flexible. Keys are keyed hashes.
create table throttle (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- Who did what. Rows can be added and read, never changed.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  company_id bigint,
  login_id bigint,
  session_id uuid,
  action text not null,
  object text,
  detail jsonb not null default '{}'
);

grant select, insert, update on company, login, session, link, mail, step_up_grant to pillar_gate;
grant select, insert, update, delete on access_token to pillar_gate;
grant delete on session, link, step_up_grant to pillar_gate;
grant select, insert, update, delete on throttle to pillar_gate;
grant insert, select on audit to pillar_gate;
grant insert on audit to pillar_app;

create table location (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  company_id bigint not null references company,
  name text not null,
  street_address text,
  town text,
  region text,
  postcode text,
  country text not null default 'AU' check (country in ('AU', 'GB', 'US')),
  phone_number text,
  latitude double precision,
  longitude double precision,
  time_zone text not null default 'Australia/Sydney',
  data_source text,
  key_hash bytea unique,
  owner_login_id bigint references login,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  -- What the last completed upload left behind.
  data_from date,
  data_to date,
  last_upload_at timestamptz,
  unique (company_id, name)
);
alter table location enable row level security;
alter table location force row level security;
create policy tenant on location to pillar_app
  using (company_id = (select scope_company_id()) and id = any ((select scope_location_ids())::bigint[]));
create policy gate on location to pillar_gate using (true) with check (true);
create policy report on location for select to pillar_report using (true);
grant select, update on location to pillar_app;
grant select, insert, update on location to pillar_gate;
grant select on location to pillar_report;
-- Names of the owners shown beside a pharmacy; nothing else of a login is visible to tenant queries.
create view location_owner with (security_barrier) as
  select l.id as location_id, o.first_name || ' ' || o.last_name as name, o.email
  from location l join login o on o.id = l.owner_login_id
  where l.id = any ((select scope_location_ids())::bigint[]) and l.company_id = (select scope_company_id());
grant select on location_owner to pillar_app;
