-- A screen's filters, columns and order under a name: somebody's own, or shared with the company.
create table saved_view (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  company_id bigint not null references company,
  login_id bigint not null references login,
  name text not null check (length(name) between 1 and 100),
  shared boolean not null default false,
  -- what the address bar holds of the screen
  state jsonb not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  version integer not null default 1
);
create unique index saved_view_name on saved_view (login_id, lower(name));
create index saved_view_company on saved_view (company_id) where shared;

-- The view a person's screen opens with.
create table saved_view_default (
  login_id bigint primary key references login,
  company_id bigint not null references company,
  view_id bigint not null references saved_view on delete cascade
);
create index saved_view_default_view on saved_view_default (view_id);
create index saved_view_default_company on saved_view_default (company_id);

select pillar_protect('saved_view', 'company');
select pillar_protect('saved_view_default', 'company');
grant select, insert, update, delete on saved_view, saved_view_default to pillar_app;

-- Whose views may be changed by colleagues: those of somebody who cannot sign in any more.
create view login_gone with (security_barrier) as
  select id as login_id from login
  where company_id = (select scope_company_id()) and (disabled_at is not null or removed_at is not null);
grant select on login_gone to pillar_app;
