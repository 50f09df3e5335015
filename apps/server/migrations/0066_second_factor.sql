-- A second factor beside the password: an authenticator app, passkeys, recovery codes for when neither is at hand, and browsers that somebody
-- chose to remember.

-- Whether a sign-in asks for it: kept with each change of the tables below.
alter table login add column second_factor boolean not null default false;
alter table session
  -- when the second factor of this session was checked; null while it has not been
  add column factor_at timestamptz,
  -- what a passkey has to sign, once
  add column challenge text,
  add column challenge_until timestamptz;

create table authenticator_app (
  login_id bigint primary key references login on delete cascade,
  -- its secret, sealed with a key that is not in the database
  sealed bytea not null,
  -- null until its first code was entered
  confirmed_at timestamptz,
  -- the newest half minute whose code was used: no code works twice
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
create table passkey (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  login_id bigint not null references login on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_login on passkey (login_id);
create table recovery_code (
  login_id bigint not null references login on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (login_id, code_hash)
);
create table remembered_browser (
  token_hash bytea primary key,
  login_id bigint not null references login on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index remembered_browser_login on remembered_browser (login_id);

grant select, insert, update, delete on authenticator_app, passkey, recovery_code, remembered_browser to pillar_system;

-- Support takes a lost second factor away: it sees that there is one, and nothing of it.
grant select (second_factor), update (second_factor) on login to pillar_staff;
grant select (login_id), delete on authenticator_app, passkey, recovery_code, remembered_browser to pillar_staff;
grant select (id, login_id, ended_at), update (ended_at) on session to pillar_staff;
grant select (session_id), delete on access_token, step_up to pillar_staff;
