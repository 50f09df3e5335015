-- The first nouns of the support console.

-- Companies: removed ones keep their records, and their names become free.
alter table company add column version integer not null default 1, add column removed_at timestamptz;
update company c set name = c.name || ' (' || c.id || ')'
  where exists (select from company o where lower(o.name) = lower(c.name) and o.id < c.id);
alter table company drop constraint company_name_key;
create unique index company_name on company (lower(name)) where removed_at is null;

-- What a pharmacy has switched on, each shown as a coloured tag.
create table module (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  name text not null unique,
  display_name text not null,
  -- a colour of the theme
  display_colour text not null,
  location_type text not null default 'pharmacy',
  -- the pharmacy is known to it under a number of its own
  needs_external_id boolean not null default false
);
insert into module (uuid, name, display_name, display_colour, needs_external_id) values
  (gen_random_uuid(), 'strong_pro', 'Upload', 'green', false),
  (gen_random_uuid(), 'pharmaprograms', 'Pharmacy Programs', 'blue', true);
create table location_module (
  location_id bigint not null,
  company_id bigint not null,
  module_id bigint not null references module,
  external_id text,
  primary key (location_id, module_id)
);
-- Whom a pharmacy's notices go to and whose it is shown as; what a head office sees does not depend on it.
create table login_location (
  location_id bigint not null,
  company_id bigint not null,
  login_id bigint not null references login on delete cascade,
  primary key (location_id, login_id)
);
insert into login_location (location_id, company_id, login_id)
  select id, company_id, owner_login_id from location where owner_login_id is not null;
insert into location_module (location_id, company_id, module_id)
  select l.id, l.company_id, m.id from location l, module m where m.name = 'strong_pro' and l.data_source is not null;
select pillar_protect('location_module', 'location', '{pillar_gate,pillar_staff}');
select pillar_protect('login_location', 'location', '{pillar_gate,pillar_staff}');
grant select on module, location_module, login_location to pillar_app, pillar_staff;
grant select, insert, update, delete on module, location_module, login_location to pillar_gate;

-- Templates: of a head office or of its pharmacies, or global ones of no company.
alter table template alter column company_id drop not null,
  add column enterprise_template boolean not null default true,
  add check (company_id is not null or not enterprise_template);
create unique index template_global_name on template (lower(name)) where company_id is null and removed_at is null;
create index template_by_name on template (lower(name), id) where removed_at is null;
alter table template_recommendation add column version integer not null default 1;

-- Several events may start with the same thing under different names.
alter table sequence_event add column uuid uuid not null default gen_random_uuid() unique, add column version integer not null default 1;
alter table sequence_event drop constraint sequence_event_value_key;
create unique index sequence_event_name on sequence_event (lower(name)) where removed_at is null;
