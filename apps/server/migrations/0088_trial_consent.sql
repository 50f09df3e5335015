-- The links of an invitation: one to take part, one to withdraw. Only a keyed hash of a link's secret is kept.
create table trial_link (
  location_id bigint not null,
  id bigint generated always as identity,
  trial_id bigint not null,
  patient_id bigint not null,
  -- the invitation it left with; null for a link to withdraw
  message_id bigint,
  purpose text not null check (purpose in ('consent', 'withdraw')),
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  -- null for a link to withdraw: it never ends
  expires_at timestamptz,
  used_at timestamptz,
  primary key (location_id, id),
  unique (location_id, token_hash),
  check (purpose = 'withdraw' or expires_at is not null)
);
create index trial_link_token on trial_link (token_hash);
create index trial_link_patient on trial_link (location_id, trial_id, patient_id);

-- What a patient gave to a recruiter: written with the submission, emptied when the patient withdraws.
create table trial_referral (
  location_id bigint not null,
  trial_id bigint not null,
  patient_id bigint not null,
  -- the participant's, never the secret of a link
  consent_id uuid not null,
  -- whom the patient agreed to; a trial that changes hands does not take its people along
  recruiter_id bigint not null,
  -- by the pharmacy's own clock
  referred_on date not null,
  referred_at timestamptz not null,
  first_name text,
  last_name text,
  phone_number text,
  email text,
  postcode text,
  trial_name text not null,
  -- how the invitation came; null for none of ours
  channel text check (channel in ('sms', 'email')),
  -- the words next to the button
  agreed_text text not null,
  -- as the participant and the ledger have them, kept in the same transaction
  enrolled boolean not null default false,
  recruiter_contacted boolean,
  rebate_cents bigint not null default 0,
  sr_rebate_cents bigint not null default 0,
  version integer not null default 1,
  withdrawn_at timestamptz,
  primary key (location_id, trial_id, patient_id),
  unique (location_id, consent_id),
  -- who has withdrawn has no name here
  check (withdrawn_at is null or num_nonnulls(first_name, last_name, phone_number, email, postcode) = 0)
);
create index trial_referral_recruiter on trial_referral (recruiter_id, referred_at desc, consent_id desc);

select pillar_protect('trial_link', 'location', '{pillar_system}');
select pillar_protect('trial_referral', 'location');
grant select, insert, update on trial_link to pillar_app;
grant select (location_id, id, trial_id, purpose, token_hash, expires_at, used_at) on trial_link to pillar_system;
grant select, insert, update on trial_referral to pillar_app;

-- Whose referrals a transaction may read; nobody's unless it says so. Never together with a pharmacy.
create function scope_recruiter_id() returns bigint language sql stable parallel safe as $$
  select nullif(current_setting('pillar.recruiter_id', true), '')::bigint
$$;
create policy recruiter on trial_referral for select to pillar_app using (recruiter_id = (select scope_recruiter_id()));

-- Somebody who was invited stays invited, and whoever took part may leave again.
alter table trial_participant add column invited_at timestamptz, add column message_id bigint;
alter table trial_event drop constraint trial_event_event_check;
alter table trial_event add constraint trial_event_event_check check (event in ('contacted', 'referred', 'enrolled', 'unenrolled',
  'opted_out', 'withdrawn', 'recruiter_contacted', 'recruiter_not_contacted'));
