-- Whether a campaign of the company needs a second person's approval before it is sent.
alter table messaging_setting add column approval boolean not null default false;

-- Who last changed what a campaign says or whom it goes to; null for what was last changed before this was kept.
alter table campaign add column changed_by bigint references login;
create index campaign_changed_by on campaign (changed_by);

-- What was asked to be approved, what was agreed to, and what came of it. A row covers one sending.
create table campaign_approval (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  company_id bigint not null references company,
  campaign_id bigint not null references campaign,
  state text not null check (state in ('waiting', 'approved', 'declined', 'voided', 'used', 'held')),
  -- the campaign, its texts and its audience rule, as they were when the approval was asked for
  content jsonb not null,
  -- SHA-256 of the canonical form of that content and the ceiling
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  max_people integer not null check (max_people > 0),
  max_cents bigint not null check (max_cents >= 0),
  asked_by bigint not null references login,
  asked_at timestamptz not null,
  decided_by bigint references login,
  decided_at timestamptz,
  -- why it was declined, or held back past its ceiling
  reason text,
  -- the run it allowed
  run_id bigint references message_run,
  ended_at timestamptz,
  check (decided_by is null or decided_by <> asked_by),
  check (state not in ('approved', 'declined', 'used', 'held') or decided_by is not null)
);
create unique index campaign_approval_open on campaign_approval (campaign_id) where state in ('waiting', 'approved');
create index campaign_approval_campaign on campaign_approval (campaign_id, id);
create unique index campaign_approval_run on campaign_approval (run_id) where run_id is not null;
create index campaign_approval_company on campaign_approval (company_id) where state = 'waiting';
create index campaign_approval_asked_by on campaign_approval (asked_by);
create index campaign_approval_decided_by on campaign_approval (decided_by);

select pillar_protect('campaign_approval', 'company', '{pillar_staff}');
grant select, insert, update on campaign_approval to pillar_app;
-- Support voids an approval by changing a template, and sees which campaign's it was.
grant select (id, company_id, campaign_id, state, content), update (state, ended_at) on campaign_approval to pillar_staff;

-- Who of the company may send campaigns: the name and nothing else of a login.
create view campaign_sender with (security_barrier) as
  select id as login_id, first_name || ' ' || last_name as name from login
  where company_id = (select scope_company_id()) and data_analytics and disabled_at is null and removed_at is null;
grant select on campaign_sender to pillar_app;
