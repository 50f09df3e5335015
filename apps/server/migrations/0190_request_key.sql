-- What a request with an Idempotency-Key did, so that the same request sent again is answered and not done again (decision 058).
-- The body is kept as a keyed hash, for it may hold a password; the answer as it was sent, or nothing where it told a secret.
create table request_key (
  login_id bigint not null references login on delete cascade,
  key_hash bytea not null,
  body_hash bytea not null,
  answer text,
  made_at timestamptz not null,
  primary key (login_id, key_hash)
);
create index request_key_made on request_key (made_at);

-- In the transaction of the call, whatever its role may see.
create function find_request(bigint, bytea) returns table (body_hash bytea, answer text, made_at timestamptz)
language sql stable security definer set search_path = public as $$
  select body_hash, answer, made_at from request_key where login_id = $1 and key_hash = $2
$$;
create function keep_request(bigint, bytea, bytea, text, timestamptz) returns void
language sql volatile security definer set search_path = public as $$
  insert into request_key as k (login_id, key_hash, body_hash, answer, made_at) values ($1, $2, $3, $4, $5)
  on conflict (login_id, key_hash) do update set body_hash = $3, answer = $4, made_at = $5
$$;
grant create on schema public to pillar_report;
alter function find_request(bigint, bytea) owner to pillar_report;
alter function keep_request(bigint, bytea, bytea, text, timestamptz) owner to pillar_report;
revoke create on schema public from pillar_report;
revoke all on function find_request(bigint, bytea), keep_request(bigint, bytea, bytea, text, timestamptz) from public;
grant execute on function find_request(bigint, bytea), keep_request(bigint, bytea, bytea, text, timestamptz) to pillar_app, pillar_staff;
grant select, insert, update on request_key to pillar_report;
grant select, delete on request_key to pillar_system;
