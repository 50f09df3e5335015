-- Sign-ups on the public page of the 60 Day Dispense Calculator: of nobody's company until support makes one of them.
create table signup (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  -- unconfirmed: nobody has shown that the address is theirs; waiting: support is to decide
  state text not null default 'unconfirmed' check (state in ('unconfirmed', 'waiting', 'approved', 'rejected')),
  username text not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  job_title text,
  phone text,
  pharmacy_name text not null,
  pharmacy_phone text not null,
  -- keys of dispensing systems
  sources text[] not null check (cardinality(sources) between 1 and 8),
  street_address text not null,
  town text not null,
  region text not null,
  postcode text not null,
  -- the policy that was agreed to, and what was said about marketing, word for word
  privacy_version text not null,
  email_marketing boolean not null,
  marketing_wording text not null,
  -- chosen with the mailed link, moved to the login when there is one; the console never reads it
  password_hash text,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  decided_at timestamptz,
  decided_by bigint references login,
  -- why it was rejected; the letter says it
  reason text,
  company_id bigint references company,
  check ((state in ('approved', 'rejected')) = (decided_at is not null)),
  check ((state = 'waiting') = (password_hash is not null)),
  check ((state = 'approved') = (company_id is not null))
);
-- One address has one open sign-up.
create unique index signup_open_email on signup (lower(email)) where state in ('unconfirmed', 'waiting');
create index signup_state on signup (state, created_at);
create index signup_decided_by on signup (decided_by) where decided_by is not null;
create index signup_company on signup (company_id) where company_id is not null;

grant select, insert, update, delete on signup to pillar_system;
grant select (id, uuid, state, username, email, first_name, last_name, job_title, phone, pharmacy_name, pharmacy_phone, sources,
  street_address, town, region, postcode, privacy_version, email_marketing, created_at, confirmed_at, decided_at, decided_by, reason,
  company_id) on signup to pillar_staff;
-- "for update" of a row needs it too.
grant update (state, decided_at, decided_by, reason) on signup to pillar_staff;

-- A waiting sign-up has become a company. Answers the hash of the password that was chosen with the link, which is for its login and is
-- forgotten here; null when the sign-up is not waiting.
create function approve_signup(signup_id bigint, to_company bigint, decider bigint, at timestamptz) returns text
language sql volatile security definer set search_path = public, pg_temp as $$
  with old as (select id, password_hash from signup where id = signup_id and state = 'waiting' for update)
  update signup s set state = 'approved', password_hash = null, decided_at = at, decided_by = decider, company_id = to_company
    from old where s.id = old.id returning old.password_hash;
$$;
revoke all on function approve_signup from public;
grant execute on function approve_signup to pillar_staff;

-- A rejected sign-up's password is forgotten too.
create function reject_signup(signup_id bigint, decider bigint, why text, at timestamptz) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  update signup set state = 'rejected', password_hash = null, decided_at = at, decided_by = decider, reason = why
    where id = signup_id and state in ('unconfirmed', 'waiting');
$$;
revoke all on function reject_signup from public;
grant execute on function reject_signup to pillar_staff;

-- They act with no more rights than they need.
grant select (id, state, password_hash) on signup to pillar_report;
grant update (state, password_hash, decided_at, decided_by, reason, company_id) on signup to pillar_report;
grant create on schema public to pillar_report;
alter function approve_signup owner to pillar_report;
alter function reject_signup owner to pillar_report;
revoke create on schema public from pillar_report;
