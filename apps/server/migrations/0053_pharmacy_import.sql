-- A pharmacy goes to another company with its logins and its history (decision 036), in one transaction of the console.
grant update (company_id) on location, login to pillar_staff;
grant update (company_id, state, ended_at) on message_run to pillar_staff;
grant delete on campaign_location to pillar_staff;
grant update (active, removed_at, updated_at) on sequence to pillar_staff;
create index if not exists message_batch_location_run on message_batch (location_id, run_id);
create index if not exists campaign_location_location on campaign_location (location_id);
create index if not exists login_location_login on login_location (login_id);

-- What a pharmacy's own sending rules are; null in a column or no row: the company's. A frequency limit of its own can only be stricter.
create table location_messaging (
  location_id bigint primary key,
  -- seven [from, to] minutes or nulls, Monday first
  week jsonb,
  holidays_quiet boolean,
  cap_messages smallint check (cap_messages between 1 and 100),
  cap_hours smallint check (cap_hours between 1 and 744),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  check ((cap_messages is null) = (cap_hours is null)),
  check ((week is null) = (holidays_quiet is null))
);
select pillar_protect('location_messaging', 'location', '{pillar_staff}');
grant select, insert, update, delete on location_messaging to pillar_app;
grant select, insert, update, delete on location_messaging to pillar_staff;

-- A company's sender, for its pharmacies without one of their own; null: the installation's.
alter table messaging_setting add column sms_sender text, add column sms_sender_registered boolean not null default false;
select pillar_protect('messaging_setting', 'company', '{pillar_staff}');
grant select, insert, update on messaging_setting to pillar_staff;
-- A sender name without its registration number is not registered.
alter table location add column sms_sender_registration text;
alter table messaging_setting add column sms_sender_registration text;
grant select (sms_sender_registration), update (sms_sender, sms_sender_registered, sms_sender_registration) on location to pillar_staff;
