-- Sequences: an event in a patient's dispensing starts follow-ups over the days after it. They are sent by the same ledger as everything else.

-- Names of SEQUENCE_EVENTS (packages/domain/src/sequence.ts), which knows when each happens; a value it does not know starts nothing.
create table sequence_event (
  id bigint generated always as identity primary key,
  name text not null,
  value text not null unique,
  created_at timestamptz not null default now(),
  removed_at timestamptz
);
insert into sequence_event (value, name) values
  ('first_script', 'First script of a medicine'),
  ('refill_due', 'Repeat is due'),
  ('refill_overdue', 'Repeat is overdue'),
  ('last_repeat_dispensed', 'Last repeat dispensed'),
  ('script_expiring', 'Script is about to expire'),
  ('lapsed_patient', 'Patient has not been seen');

-- Recommended to every pharmacy; written by support.
create table sequence_recommendation (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  title text not null,
  description text not null default '',
  sequence_event_id bigint not null references sequence_event,
  marketing_consent boolean not null default false,
  health_outreach_consent boolean not null default true,
  published_at timestamptz not null default now(),
  removed_at timestamptz
);
create unique index sequence_recommendation_title on sequence_recommendation (lower(title)) where removed_at is null;
create table sequence_recommendation_template (
  sequence_recommendation_id bigint not null references sequence_recommendation on delete cascade,
  template_recommendation_id bigint not null references template_recommendation on delete cascade,
  -- the place of the follow-up it suggests, and how many days after the event
  follow_up_order smallint not null check (follow_up_order >= 1),
  days_after smallint not null check (days_after >= 0),
  primary key (sequence_recommendation_id, follow_up_order)
);

create table sequence (
  location_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null unique,
  title text not null,
  description text not null default '',
  sequence_event_id bigint not null references sequence_event,
  sequence_recommendation_id bigint references sequence_recommendation,
  preferred_communication_method text not null default 'sms' check (preferred_communication_method in ('sms', 'email')),
  -- what all messages of the sequence together may cost; null for no limit
  budget_cents bigint check (budget_cents >= 0),
  start_day date,
  end_day date,
  active boolean not null default false,
  -- patients get its messages only with this consent, whatever kind the template is
  marketing_consent boolean not null default false,
  health_outreach_consent boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (location_id, id)
);
create unique index sequence_title on sequence (location_id, lower(title)) where removed_at is null;

create table follow_up (
  location_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null unique,
  sequence_id bigint not null,
  follow_up_order smallint not null check (follow_up_order >= 1),
  -- after the event, not after the follow-up before
  days_after smallint not null check (days_after >= 0),
  template_id bigint not null references template,
  removed_at timestamptz,
  primary key (location_id, id),
  foreign key (location_id, sequence_id) references sequence
);
create unique index follow_up_place on follow_up (location_id, sequence_id, follow_up_order) where removed_at is null;

-- One event of one patient and molecule that a sequence follows up.
create table enrolment (
  location_id bigint not null,
  id bigint generated always as identity,
  sequence_id bigint not null,
  patient_id bigint not null,
  -- 0 for events of the patient and no molecule
  molecule_id integer not null,
  event_day date not null,
  enrolled_at timestamptz not null,
  -- the supply after the event that made further follow-ups needless
  goal_day date,
  -- when the next follow-up is due; null when none is left
  next_at timestamptz,
  primary key (location_id, id),
  unique (location_id, sequence_id, patient_id, molecule_id, event_day),
  foreign key (location_id, sequence_id) references sequence
);
create index enrolment_next on enrolment (next_at) where next_at is not null;

-- What became of each follow-up of an enrolment: a row is written once, with the message it queued or the reason it did not.
create table follow_up_message (
  location_id bigint not null,
  enrolment_id bigint not null,
  follow_up_id bigint not null,
  sequence_id bigint not null,
  patient_id bigint not null,
  due_at timestamptz not null,
  decided_at timestamptz not null,
  -- the message is the ledger's of this run, patient and channel; follow-ups of several medicines on one day share it
  run_id bigint,
  channel text check (channel in ('sms', 'email')),
  reason text,
  -- the supply of the event's molecule within 14 days after the message
  responded_day date,
  primary key (location_id, enrolment_id, follow_up_id),
  foreign key (location_id, enrolment_id) references enrolment,
  foreign key (location_id, follow_up_id) references follow_up,
  check ((run_id is null) = (channel is null)),
  check ((run_id is null) <> (reason is null))
);
create index follow_up_message_sequence on follow_up_message (location_id, sequence_id);
create index follow_up_message_run on follow_up_message (location_id, run_id, patient_id) where run_id is not null;

-- One run for each follow-up and the day it is due.
alter table message_run add column due_day date;
create unique index message_run_follow_up on message_run (follow_up_id, due_day) where follow_up_id is not null;
create index message_run_sequence on message_run (sequence_id) where sequence_id is not null;

do $$
declare t text;
begin
  foreach t in array array['sequence', 'follow_up', 'enrolment', 'follow_up_message'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to pillar_app using (location_id = any ((select scope_location_ids())::bigint[])) with check (location_id = any ((select scope_location_ids())::bigint[]))', t);
    execute format('grant select, insert, update, delete on %I to pillar_app', t);
  end loop;
end $$;
grant select on sequence_event, sequence_recommendation, sequence_recommendation_template to pillar_app;
grant select, insert, update, delete on sequence_event, sequence_recommendation, sequence_recommendation_template to pillar_gate;

-- Workers look over all pharmacies for follow-ups that are due, and see where and when, no person.
create policy gate on enrolment to pillar_gate using (true);
grant select (location_id, next_at) on enrolment to pillar_gate;
