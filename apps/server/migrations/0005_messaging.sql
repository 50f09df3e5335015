-- Messaging. What a company writes (templates, campaigns) is keyed by company; what a pharmacy's patients get (messages,
-- consent) is keyed by location_id first, like every fact. Money in cents.

-- What a company may set; a missing row means the defaults of the domain.
create table messaging_setting (
  company_id bigint primary key references company,
  cap_messages smallint not null check (cap_messages between 1 and 100),
  cap_hours smallint not null check (cap_hours between 1 and 744),
  -- seven [from, to] minutes or nulls, Monday first; null for the country's default hours
  week jsonb,
  holidays_quiet boolean not null,
  holdout_percent smallint not null default 0 check (holdout_percent between 0 and 50),
  updated_at timestamptz not null default now()
);

-- Null: the installation's sender. Alphanumeric senders cannot receive replies.
alter table location add column sms_sender text, add column sms_sender_registered boolean not null default false;

-- Recommended to every company; written by support.
create table template_recommendation (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  name text not null,
  description text not null default '',
  subject text,
  body text not null,
  sms_template boolean not null,
  email_template boolean not null,
  message_kind text not null default 'health_outreach' check (message_kind in ('health_outreach', 'marketing')),
  published_at timestamptz not null default now(),
  removed_at timestamptz
);
create unique index template_recommendation_name on template_recommendation (lower(name)) where removed_at is null;

create table campaign_recommendation (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  name text not null,
  description text not null default '',
  goal_type text not null,
  measure_by text not null,
  goal numeric(14, 2) not null,
  note text,
  filters jsonb not null default '{}',
  start_day date,
  end_day date,
  published_at timestamptz not null default now(),
  removed_at timestamptz
);
create unique index campaign_recommendation_name on campaign_recommendation (lower(name)) where removed_at is null;
create table campaign_recommendation_template (
  campaign_recommendation_id bigint not null references campaign_recommendation on delete cascade,
  template_recommendation_id bigint not null references template_recommendation on delete cascade,
  primary key (campaign_recommendation_id, template_recommendation_id)
);

create table template (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  company_id bigint not null references company,
  name text not null,
  body text not null,
  subject text,
  sms_template boolean not null,
  email_template boolean not null,
  message_kind text not null default 'health_outreach' check (message_kind in ('health_outreach', 'marketing')),
  active boolean not null,
  -- one of the demo templates: never edited or deleted
  demo boolean not null default false,
  template_recommendation_id bigint references template_recommendation,
  version integer not null default 1,
  created_by bigint references login,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz
);
create unique index template_name on template (company_id, lower(name)) where removed_at is null;

create table campaign (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  company_id bigint not null references company,
  name text not null,
  note text,
  description text,
  goal_type text not null,
  measure_by text not null,
  goal numeric(14, 2) not null,
  filters jsonb not null default '{}',
  active boolean not null default false,
  demo boolean not null default false,
  start_day date,
  end_day date,
  campaign_recommendation_id bigint references campaign_recommendation,
  version integer not null default 1,
  created_by bigint references login,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz
);
create unique index campaign_name on campaign (company_id, lower(name)) where removed_at is null;

create table campaign_location (
  campaign_id bigint not null references campaign on delete cascade,
  company_id bigint not null,
  location_id bigint not null references location,
  primary key (campaign_id, location_id)
);
create table campaign_template (
  campaign_id bigint not null references campaign on delete cascade,
  company_id bigint not null,
  template_id bigint not null references template,
  primary key (campaign_id, template_id)
);
create index campaign_template_template on campaign_template (template_id);

-- One sending: an activation of a campaign, a day of a sequence's follow-up, a single message.
create table message_run (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  company_id bigint not null references company,
  context text not null check (context in ('campaign', 'trial', 'sequence', 'communication')),
  campaign_id bigint references campaign,
  sequence_id bigint,
  follow_up_id bigint,
  trial_id bigint,
  -- preparing: the recipients are being written; holding: written, and can still be cancelled
  state text not null check (state in ('preparing', 'holding', 'sending', 'stopped', 'done', 'failed')),
  note text not null default '',
  created_by bigint references login,
  created_at timestamptz not null default now(),
  starts_at timestamptz not null,
  -- nothing of the run goes after this
  ends_at timestamptz,
  ended_at timestamptz
);
-- Two activations of one campaign at once end in one run.
create unique index message_run_one_live on message_run (campaign_id)
  where campaign_id is not null and state in ('preparing', 'holding', 'sending', 'stopped');
create index message_run_campaign on message_run (campaign_id, id);

-- What one run sends on one channel for one pharmacy with one template: its text is frozen here.
create table message_batch (
  location_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  run_id bigint not null,
  company_id bigint not null,
  channel text not null check (channel in ('sms', 'email')),
  context text not null,
  template_id bigint,
  template_name text not null,
  message_kind text not null,
  subject text,
  body text not null,
  sms_sender text,
  user_name text,
  created_at timestamptz not null default now(),
  stopped_at timestamptz,
  -- when the earliest queued message may go: what senders look for; null when none is queued
  next_at timestamptz,
  leased_by uuid,
  leased_until timestamptz,
  -- recounted from the messages while they move
  num_patients integer not null default 0,
  num_queued integer not null default 0,
  num_sending integer not null default 0,
  num_sent integer not null default 0,
  num_delivered integer not null default 0,
  num_failed integer not null default 0,
  num_skipped integer not null default 0,
  num_unknown integer not null default 0,
  parts integer not null default 0,
  cents bigint not null default 0,
  fake_patients integer not null default 0,
  primary key (location_id, id)
);
create index message_batch_run on message_batch (run_id);
create index message_batch_next on message_batch (next_at) where next_at is not null and stopped_at is null;

-- The ledger: every person a run selected on a channel has one row, those held back too.
create table message (
  location_id bigint not null,
  id bigint generated always as identity,
  run_id bigint not null,
  batch_id bigint not null,
  patient_id bigint not null,
  channel text not null check (channel in ('sms', 'email')),
  state text not null check (state in ('queued', 'sending', 'sent', 'delivered', 'failed', 'skipped', 'unknown')),
  -- why it was skipped (SkipReason), or failed (the gateway's reason in plain words)
  reason text,
  -- E.164 or lower-case address
  contact text,
  -- as the patient reads it; null for those held back. A consent link is put in only while it is handed over.
  body text,
  parts smallint not null default 0,
  cents integer not null default 0,
  fake boolean not null default false,
  planned_at timestamptz,
  -- while sending: whose turn it is ends here
  lease_until timestamptz,
  attempts smallint not null default 0,
  gateway text,
  gateway_ref text,
  -- accepted by the gateway: from here on it costs
  sent_at timestamptz,
  -- delivered or failed
  settled_at timestamptz,
  -- what allowed it: the rule, and the log entry where there is one
  rule text,
  consent_entry_id bigint,
  created_at timestamptz not null default now(),
  primary key (location_id, id),
  unique (location_id, run_id, patient_id, channel)
);
create index message_queued on message (location_id, batch_id, planned_at) where state = 'queued';
create index message_open on message (lease_until) where state in ('sending', 'unknown');
create index message_patient on message (location_id, patient_id, created_at);
create index message_contact on message (contact, sent_at) where sent_at is not null;

-- Pharmacies whose counts are to be made anew.
create table message_due (
  location_id bigint primary key,
  company_id bigint not null,
  since timestamptz not null default now()
);

-- Recent messages to one number or address over all pharmacies of a company; the row is locked while the cap is checked.
create table contact_history (
  company_id bigint not null,
  contact text not null,
  sent timestamptz[] not null default '{}',
  primary key (company_id, contact)
);

-- When the next message may be handed to a gateway, over all workers.
create table gateway_pace (
  gateway text primary key,
  next_at timestamptz not null
);

-- What gateways tell us, written before it is answered and worked off after.
create table gateway_event (
  id bigint generated always as identity primary key,
  gateway text not null,
  event_id text not null,
  payload jsonb not null,
  received_at timestamptz not null default now(),
  done_at timestamptz,
  failure text,
  unique (gateway, event_id)
);
create index gateway_event_open on gateway_event (id) where done_at is null;

-- Consent is a log: entries are added, never changed.
create table consent_entry (
  location_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  patient_id bigint not null,
  at timestamptz not null,
  type text not null check (type in ('form', 'stop', 'start', 'unsubscribe', 'import_opt_out')),
  channel text check (channel in ('sms', 'email')),
  -- the four answers of a form
  answers jsonb,
  -- what the person read and agreed to, word for word
  wording text,
  source text not null,
  contact text,
  primary key (location_id, id)
);
create index consent_entry_patient on consent_entry (location_id, patient_id, at);

-- Where the log has led to; a patient without a row is unknown throughout.
create table consent (
  location_id bigint not null,
  patient_id bigint not null,
  sms_health_outreach text not null default 'unknown' check (sms_health_outreach in ('unknown', 'in', 'out')),
  sms_marketing text not null default 'unknown' check (sms_marketing in ('unknown', 'in', 'out')),
  email_health_outreach text not null default 'unknown' check (email_health_outreach in ('unknown', 'in', 'out')),
  email_marketing text not null default 'unknown' check (email_marketing in ('unknown', 'in', 'out')),
  sms_health_outreach_entry bigint,
  sms_marketing_entry bigint,
  email_health_outreach_entry bigint,
  email_marketing_entry bigint,
  -- what the dispensing system said last, so that only a new opt-out is an event
  imported_sms_opt_out boolean not null default false,
  imported_email_opt_out boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (location_id, patient_id)
);

-- A consent link given to a patient. Only a keyed hash of the link's secret is kept.
create table consent_request (
  location_id bigint not null,
  id bigint generated always as identity,
  token_hash bytea not null,
  patient_id bigint not null,
  message_id bigint,
  marketing boolean not null,
  health_outreach boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (location_id, id)
);
create unique index consent_request_token on consent_request (token_hash);

-- Where messages to a patient go, worked out from what the pharmacy wrote down; contact_source is that, to see changes.
alter table patient add column sms_to text, add column email_to text, add column contact_source text;
create index patient_sms_to on patient (location_id, sms_to) where sms_to is not null;
create index patient_email_to on patient (location_id, email_to) where email_to is not null;

-- What cohorts ask of each patient, worked out after every upload as of the pharmacy's newest data.
create table patient_fact (
  location_id bigint not null,
  patient_id bigint not null,
  last_script_on date not null,
  adherence_level smallint,
  loyalty_level smallint,
  patient_type smallint not null default 0,
  -- current molecules
  molecules smallint not null default 0,
  distance_km real,
  double_dispensing boolean not null default false,
  drug_type_ids integer[] not null default '{}',
  molecule_ids integer[] not null default '{}',
  -- what the names cost in a text: GSM septets, or UTF-16 units and true when they force Unicode
  first_name_units smallint not null default 0,
  last_name_units smallint not null default 0,
  names_unicode boolean not null default false,
  primary key (location_id, patient_id)
);

do $$
declare t text;
begin
  foreach t in array array['messaging_setting', 'template', 'campaign', 'campaign_location', 'campaign_template', 'message_run', 'contact_history'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to pillar_app using (company_id = (select scope_company_id())) with check (company_id = (select scope_company_id()))', t);
    execute format('grant select, insert, update, delete on %I to pillar_app', t);
  end loop;
  foreach t in array array['message_batch', 'message', 'message_due', 'consent_entry', 'consent', 'consent_request', 'patient_fact'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to pillar_app using (location_id = any ((select scope_location_ids())::bigint[])) with check (location_id = any ((select scope_location_ids())::bigint[]))', t);
    execute format('grant select, insert, update, delete on %I to pillar_app', t);
  end loop;
end $$;
revoke update, delete on consent_entry from pillar_app;
grant select on template_recommendation, campaign_recommendation, campaign_recommendation_template to pillar_app;
grant select, insert, update, delete on template_recommendation, campaign_recommendation, campaign_recommendation_template to pillar_gate;
grant select, insert, update, delete on gateway_pace to pillar_app;
grant select, insert, update, delete on gateway_pace, gateway_event to pillar_gate;

-- Senders look over all pharmacies for work, and see ids, states and times of it, no person and no text.
create policy gate on message_run to pillar_gate using (true) with check (true);
grant select, update on message_run to pillar_gate;
create policy gate on message_batch to pillar_gate using (true) with check (true);
grant select (location_id, id, run_id, company_id, channel, context, next_at, leased_by, leased_until, stopped_at),
  update (next_at, leased_by, leased_until) on message_batch to pillar_gate;
create policy gate on message_due to pillar_gate using (true) with check (true);
grant select, insert, update, delete on message_due to pillar_gate;
create policy gate on message to pillar_gate using (true);
grant select (location_id, id, run_id, batch_id, channel, state, lease_until, gateway, gateway_ref, sent_at, contact) on message to pillar_gate;
create policy gate on consent_request to pillar_gate using (true);
grant select (location_id, id, token_hash, patient_id, expires_at, used_at) on consent_request to pillar_gate;
