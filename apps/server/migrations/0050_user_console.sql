-- People in the console: personal details, invitations, soft removal.
alter table login
  add column middle_name text,
  add column preferred_name text,
  add column dob date,
  add column sex text check (sex in ('Female', 'Male')),
  -- whom a login for clinical trials works for
  add column recruiter_provider_id bigint,
  -- nobody knows a password yet: the person chooses one with the link of an invitation
  add column password_pending boolean not null default false,
  add column invited_at timestamptz,
  add column removed_at timestamptz,
  add column version integer not null default 1,
  -- Whatever shuts out a disabled login shuts out a removed one.
  add check (removed_at is null or disabled_at is not null);

-- Names and addresses of removed people become free.
drop index login_username;
drop index login_email;
create unique index login_username on login (lower(username collate "C")) where removed_at is null;
create unique index login_email on login (lower(email collate "C")) where removed_at is null;

create index login_by_name on login (lower(first_name || ' ' || last_name), id);
create index login_by_username on login (lower(username), id);
create index login_by_email on login (lower(email), id);
create index login_by_creation on login (created_at, id);
create index login_by_creation_newest on login (created_at desc nulls last, id desc);
create index location_by_owner on location (owner_login_id) where owner_login_id is not null;
create index login_location_login on login_location (login_id);

-- Welcome letters: to whom, about which pharmacy, where to. The newest row is the one that counts.
create table onboarding_notification (
  location_id bigint not null,
  id bigint generated always as identity,
  login_id bigint not null references login on delete cascade,
  destination text not null,
  created_at timestamptz not null,
  primary key (location_id, id)
);
create index onboarding_notification_login on onboarding_notification (location_id, login_id, created_at desc);
select pillar_protect('onboarding_notification', 'location', '{pillar_system,pillar_staff}');
grant select, insert on onboarding_notification to pillar_system, pillar_staff;

-- What the console may do to a login. It can neither read a password's hash nor make anybody support: sr_login is not among its columns.
grant select (middle_name, preferred_name, dob, sex, recruiter_provider_id, password_pending, invited_at, removed_at, version),
  update (username, email, password_hash, password_changed_at, must_change_password, password_pending, invited_at, first_name, last_name,
    middle_name, preferred_name, dob, sex, guild_login, clinical_trials_login, sixty_day_signup, data_analytics, supplier_analytics,
    ad_analytics, ecdr, recruiter_provider_id, disabled_at, removed_at, version)
  on login to pillar_staff;
revoke insert on login from pillar_staff;
grant insert (uuid, company_id, username, email, password_hash, must_change_password, password_pending, invited_at, first_name, last_name,
    middle_name, preferred_name, dob, sex, guild_login, clinical_trials_login, sixty_day_signup, data_analytics, supplier_analytics,
    ad_analytics, ecdr, recruiter_provider_id)
  on login to pillar_staff;
-- Ending sessions, mailing links and letters, in the transaction of the act; no token or text can be read.
grant select (id, login_id, ended_at), update (ended_at) on session to pillar_staff;
grant select (session_id), delete on access_token, step_up to pillar_staff;
-- To pass over step-ups that are in use.
grant select (ctid), update (used_at) on step_up to pillar_staff;
grant select (purpose, subject_id, used_at), insert, delete on link to pillar_staff;
grant insert, delete on login_location to pillar_staff;
