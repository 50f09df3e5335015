-- Analytics dashboards: which dashboard of the analytics server a company may see. The server's own row filter decides what is in it.
create table dashboard (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  company_id bigint not null references company,
  -- its id for embedding on the analytics server
  dashboard_id uuid not null,
  name text not null,
  dashboard_type text not null check (dashboard_type in ('Supplier', 'Advertiser', 'Industry Dashboard')),
  -- https, on a host of DASHBOARD_HOSTS when it was saved
  domain_url text not null check (domain_url like 'https://%'),
  active boolean not null default true,
  production boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null,
  removed_at timestamptz
);
create unique index dashboard_name on dashboard (company_id, lower(name)) where removed_at is null;
create index dashboard_by_name on dashboard (lower(name), id);
-- A company finds its own rows alone: who asks for a dashboard by an id of another company finds nothing.
select pillar_protect('dashboard', 'company', '{pillar_staff}');
grant select on dashboard to pillar_app;
grant select, insert, update on dashboard to pillar_staff;
