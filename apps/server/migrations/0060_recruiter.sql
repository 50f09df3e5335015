-- Recruiters look for patients for clinical trials, providers run them. Both belong to the platform, not to a company.
create table recruiter_provider (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  name text not null,
  -- whom its trials look for, in general
  description text not null,
  recruiter_or_provider text not null check (recruiter_or_provider in ('recruiter', 'provider')),
  -- addresses for a patient's browser: https, and never fetched from here
  logo_url text not null check (logo_url like 'https://%'),
  phone text not null,
  email text not null,
  website text not null check (website like 'https://%'),
  privacy_policy_url text not null check (privacy_policy_url like 'https://%'),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index recruiter_provider_name on recruiter_provider (recruiter_or_provider, lower(name));
grant select, insert, update on recruiter_provider to pillar_staff;
grant select on recruiter_provider to pillar_app, pillar_system;

-- Whose referrals a clinical trials login sees.
alter table login add column if not exists recruiter_provider_id bigint;
alter table login add constraint login_recruiter_provider foreign key (recruiter_provider_id) references recruiter_provider;
create index login_recruiter on login (recruiter_provider_id) where recruiter_provider_id is not null;
grant select (recruiter_provider_id), insert (recruiter_provider_id), update (recruiter_provider_id) on login to pillar_staff;
