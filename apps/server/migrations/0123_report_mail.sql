-- Who gets the one-page report by mail every month: people of the company who may see its Financials.
create view report_reader with (security_barrier) as
  select id as login_id, uuid, first_name || ' ' || last_name as name, username from login
  where company_id = (select scope_company_id()) and data_analytics and disabled_at is null and removed_at is null;
grant select on report_reader to pillar_app;

-- On which business day of the new month it goes out.
create table report_mail_rule (
  company_id bigint primary key references company,
  business_day smallint not null check (business_day between 1 and 10),
  set_by bigint not null references login,
  set_at timestamptz not null,
  version integer not null default 1
);
create index report_mail_rule_set_by on report_mail_rule (set_by);

create table report_mail (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  company_id bigint not null references company,
  login_id bigint not null references login,
  -- the pharmacy it is about; null for the whole company
  location_id bigint,
  added_by bigint not null references login,
  added_at timestamptz not null
);
create unique index report_mail_one on report_mail (company_id, login_id, coalesce(location_id, 0));
create index report_mail_login on report_mail (login_id);
create index report_mail_added_by on report_mail (added_by);

-- Whoever has said that they want none: nobody else can sign them up again.
create table report_mail_stop (
  login_id bigint primary key references login,
  company_id bigint not null references company,
  stopped_at timestamptz not null
);
create index report_mail_stop_company on report_mail_stop (company_id);

-- What has gone out: one letter for each person, subject and month, however often the job runs.
create table report_mail_sent (
  company_id bigint not null references company,
  login_id bigint not null references login,
  -- 0 for the whole company
  location_id bigint not null,
  -- '2026-10'
  month text not null,
  sent_at timestamptz not null,
  -- pharmacies whose data did not reach the end of the month
  late integer not null,
  primary key (company_id, login_id, location_id, month)
);
create index report_mail_sent_login on report_mail_sent (login_id);

select pillar_protect('report_mail_rule', 'company', '{pillar_system}');
select pillar_protect('report_mail', 'company', '{pillar_system}');
select pillar_protect('report_mail_stop', 'company', '{pillar_system}');
select pillar_protect('report_mail_sent', 'company', '{pillar_system}');
grant select, insert, update on report_mail_rule to pillar_app;
grant select, insert, delete on report_mail, report_mail_stop to pillar_app;
grant select on report_mail_sent to pillar_app;
grant select on report_mail_rule, report_mail, report_mail_stop to pillar_system;
grant select, insert, delete on report_mail_sent to pillar_system;

-- What the company is called, for the head of its report.
create view own_company with (security_barrier) as
  select id as company_id, name from company where id = (select scope_company_id());
grant select on own_company to pillar_app;
