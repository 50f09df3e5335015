-- Clinical trials. A trial belongs to the platform; who takes part belongs to the pharmacy, and staff see counts alone.
create table trial (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  name text not null,
  note text not null default '',
  -- as people read them; `filters` is what is counted
  eligibility_criteria text not null,
  filters jsonb not null default '{}',
  recruiter_id bigint not null references recruiter_provider,
  provider_id bigint not null references recruiter_provider,
  -- to the pharmacy and to the platform, for each referral or each enrolment as rebate_type says
  refer_rebate_cents bigint not null check (refer_rebate_cents >= 0),
  enroll_rebate_cents bigint not null check (enroll_rebate_cents >= 0),
  sr_refer_rebate_cents bigint not null check (sr_refer_rebate_cents >= 0),
  sr_enroll_rebate_cents bigint not null check (sr_enroll_rebate_cents >= 0),
  rebate_type text not null check (rebate_type in ('refer', 'enroll')),
  -- first and last day, each by a pharmacy's own clock
  start_day date,
  end_day date,
  active boolean not null default false,
  version integer not null default 1,
  created_by bigint references login,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index trial_name on trial (lower(name));
create index trial_recruiter on trial (recruiter_id);
create index trial_provider on trial (provider_id);

create table trial_template (
  trial_id bigint not null references trial,
  template_id bigint not null references template,
  primary key (trial_id, template_id)
);
create index trial_template_template on trial_template (template_id);

-- What a patient reads and agrees to. A version is written once; a change is a new version.
create table trial_consent_form (
  id bigint generated always as identity primary key,
  trial_id bigint not null references trial,
  version integer not null check (version >= 1),
  form_title text not null,
  intro text not null,
  purpose_heading text not null,
  purpose text not null,
  criteria_heading text not null,
  criteria text not null,
  created_by bigint references login,
  created_at timestamptz not null default now(),
  unique (trial_id, version)
);

-- Approvals of an ethics committee, the newest counts. Written once.
create table trial_ethics_approval (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  trial_id bigint not null references trial,
  number text not null,
  approving_body text not null,
  approved_on date not null,
  expires_on date check (expires_on >= approved_on),
  filename text not null,
  bytes integer not null,
  -- sealed under the installation's secret, for this row alone
  document bytea not null,
  created_by bigint references login,
  created_at timestamptz not null default now()
);
create index trial_ethics_approval_trial on trial_ethics_approval (trial_id, id);

-- Every activation and deactivation, with what is to be done about it: a job does it once.
create table trial_status_change (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  trial_id bigint not null references trial,
  active boolean not null,
  notify_pharmacies boolean not null,
  cancel_messages boolean not null,
  login_id bigint references login,
  at timestamptz not null,
  -- what came of it, once it is done
  done_at timestamptz,
  letters integer,
  cancelled integer
);
create index trial_status_change_trial on trial_status_change (trial_id, id);

-- How far each eligible patient of a pharmacy got. The times say what was ever reached, the state where the patient is now.
create table trial_participant (
  location_id bigint not null,
  trial_id bigint not null,
  patient_id bigint not null,
  uuid uuid not null,
  state text not null check (state in ('eligible', 'contacted', 'referred', 'enrolled', 'opted_out')),
  eligible_at timestamptz not null,
  contacted_at timestamptz,
  referred_at timestamptz,
  -- the first enrolment; the state says whether it stands
  enrolled_at timestamptz,
  opted_out_at timestamptz,
  -- the recruiter's own switch; null until it is set
  recruiter_contacted boolean,
  -- the version the patient agreed to
  consent_form_id bigint,
  primary key (location_id, trial_id, patient_id),
  unique (location_id, uuid)
);

-- Each step and each switch of a recruiter: when, and by whom (null: the patient, or a gateway's receipt).
create table trial_event (
  location_id bigint not null,
  id bigint generated always as identity,
  trial_id bigint not null,
  patient_id bigint not null,
  event text not null check (event in ('contacted', 'referred', 'enrolled', 'unenrolled', 'opted_out', 'recruiter_contacted',
    'recruiter_not_contacted')),
  at timestamptz not null,
  login_id bigint,
  primary key (location_id, id)
);
create index trial_event_patient on trial_event (location_id, trial_id, patient_id, id);

-- What is owed: entries are added, never changed; a reversal is an entry of the negative amounts.
create table trial_rebate (
  location_id bigint not null,
  id bigint generated always as identity,
  trial_id bigint not null,
  patient_id bigint not null,
  kind text not null check (kind in ('refer', 'enroll')),
  -- 1, then 2 for its reversal, and so on: nothing is posted twice
  entry smallint not null check (entry >= 1),
  -- to the pharmacy and to the platform, as the trial had them at that time
  cents bigint not null,
  sr_cents bigint not null,
  at timestamptz not null,
  primary key (location_id, id),
  unique (location_id, trial_id, patient_id, kind, entry)
);

-- The sums of a trial at a pharmacy: all that staff see of who takes part.
create table trial_location (
  location_id bigint not null,
  trial_id bigint not null,
  total_eligible integer not null default 0,
  total_contacted integer not null default 0,
  total_referred integer not null default 0,
  total_enrolled integer not null default 0,
  total_optout integer not null default 0,
  rebate_cents bigint not null default 0,
  sr_rebate_cents bigint not null default 0,
  -- the criteria it was counted with
  filters_md5 text,
  counted_at timestamptz,
  primary key (location_id, trial_id)
);
create index trial_location_trial on trial_location (trial_id, total_eligible desc);

select pillar_protect('trial_participant', 'location');
select pillar_protect('trial_event', 'location');
select pillar_protect('trial_rebate', 'location');
select pillar_protect('trial_location', 'location', '{pillar_staff,pillar_system}');
grant select, insert, update, delete on trial_participant, trial_location to pillar_app;
grant select, insert on trial_event, trial_rebate to pillar_app;
grant select on trial_location to pillar_staff, pillar_system;

grant select, insert, update on trial, trial_status_change to pillar_staff;
grant select, insert, delete on trial_template to pillar_staff;
grant select, insert on trial_consent_form, trial_ethics_approval to pillar_staff;
grant select on trial, trial_template, trial_consent_form to pillar_app, pillar_system;
grant select (id, trial_id, expires_on) on trial_ethics_approval to pillar_app, pillar_system;
grant select, update (done_at, letters, cancelled) on trial_status_change to pillar_system;
-- The confirmation says how many invitations wait.
create index message_run_trial on message_run (trial_id) where trial_id is not null;
