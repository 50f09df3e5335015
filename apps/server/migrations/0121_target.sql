-- What a head office wants a figure to come to: of the whole company or of one pharmacy, in one period.
create table target (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  company_id bigint not null references company,
  -- null for the whole company
  location_id bigint,
  figure text not null check (figure in ('revenue', 'scripts', 'adherent_share', 'loyalty')),
  -- '2026' (the financial year that starts in it), '2026Q3', '2026-11'
  period text not null check (period ~ '^\d{4}(Q[1-4]|-(0[1-9]|1[0-2]))?$'),
  -- money in currency, a count, or a fraction
  value numeric(15, 4) not null check (value > 0),
  set_by bigint not null references login,
  set_at timestamptz not null,
  version integer not null default 1
);
create unique index target_one on target (company_id, coalesce(location_id, 0), figure, period);
create index target_set_by on target (set_by);

select pillar_protect('target', 'company');
grant select, insert, update, delete on target to pillar_app;
