-- Uncaught errors, the last 1,000, where no error-reporting service is set. Names and places in our files; never texts, addresses or bodies.
create table error_report (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  source text not null check (source in ('server', 'screens')),
  name text not null,
  code text,
  -- the call, job or page it happened in
  call text,
  status smallint,
  release text not null,
  -- [{file, line, column, function}], innermost first
  frames jsonb not null
);
grant select, insert, delete on error_report to pillar_gate;
