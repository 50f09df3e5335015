-- Pharmacies in the support console: made, edited, removed and restored there; their upload keys are shown and replaced.

alter table location
  add column version integer not null default 1,
  -- switched on for this pharmacy alone
  add column features text[] not null default '{}',
  -- its figures may not go to the guild
  add column no_guild_consent boolean not null default false;

-- A removed pharmacy keeps its records, and its name becomes free.
update location l set name = l.name || ' (' || l.id || ')'
  where exists (select from location o where o.company_id = l.company_id and lower(o.name) = lower(l.name) and o.id < l.id);
alter table location drop constraint location_company_id_name_key;
create unique index location_name on location (company_id, lower(name)) where removed_at is null;
create index login_company on login (company_id);

-- The keys that a pharmacy's uploads show. While a key is replaced the old one works for some days more. A key is found before its
-- pharmacy is known, so this is a small table of its own that no tenant sees.
create table location_key (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  location_id bigint not null,
  key_hash bytea not null unique,
  -- The key sealed with the installation's secret, so that support can show it again; null where only its hash was ever kept.
  sealed bytea,
  -- the first letters, to find a pharmacy by the key in front of somebody
  prefix text,
  created_at timestamptz not null default now(),
  -- to the minute
  last_used_at timestamptz,
  -- null: works until it is replaced
  ends_at timestamptz
);
create index location_key_location on location_key (location_id);
create index location_key_prefix on location_key (prefix text_pattern_ops) where prefix is not null;
create unique index location_key_current on location_key (location_id) where ends_at is null;
insert into location_key (location_id, key_hash, created_at)
  select id, key_hash, created_at from location where key_hash is not null;
alter table location drop column key_hash;
select pillar_protect('location_key', 'nobody', '{pillar_system,pillar_staff}');
grant select, insert, update on location_key to pillar_system;
grant select (id, uuid, location_id, prefix, created_at, last_used_at, ends_at), insert, update (ends_at) on location_key to pillar_staff;

grant select (version, features, no_guild_consent), insert,
  update (name, street_address, town, region, postcode, country, phone_number, latitude, longitude, time_zone, data_source,
    owner_login_id, features, no_guild_consent, version, removed_at) on location to pillar_staff;
grant insert, update, delete on location_module, login_location to pillar_staff;

-- The dialog of a pharmacy chooses its owner by uuid.
create or replace view location_owner with (security_barrier) as
  select l.id as location_id, o.first_name || ' ' || o.last_name as name, o.email, o.uuid
  from location l join login o on o.id = l.owner_login_id
  where l.id = any ((select scope_location_ids())::bigint[]) and l.company_id = (select scope_company_id());
