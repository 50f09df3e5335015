-- What patients answer that is neither STOP nor START, or that could not be carried out: kept for a person to read.
create table message_reply (
  location_id bigint not null,
  id bigint generated always as identity,
  -- made of the gateway's event and the pharmacy: the same reply told twice is one row
  uuid uuid not null unique,
  -- numbers as the gateway told them
  sender text not null,
  received_by text not null,
  -- null once its time is over (docs/operations.md, "What is kept how long")
  body text,
  -- it may be a wish to get no more texts
  may_stop boolean not null,
  -- the pharmacy's patients with that number; none for a stranger
  patient_ids bigint[] not null default '{}',
  -- the newest text of the pharmacy to that number before the reply
  message_id bigint,
  received_at timestamptz not null,
  read_at timestamptz,
  read_by bigint references login,
  created_at timestamptz not null default now(),
  primary key (location_id, id),
  check ((read_at is null) = (read_by is null))
);
create index message_reply_at on message_reply (location_id, received_at);
create index message_reply_unread on message_reply (location_id) where read_at is null;

alter table message_reply enable row level security;
alter table message_reply force row level security;
create policy tenant on message_reply to pillar_app
  using (location_id = any ((select scope_location_ids())::bigint[])) with check (location_id = any ((select scope_location_ids())::bigint[]));
grant select, insert, update on message_reply to pillar_app;

-- Letters are not kept for ever.
grant delete on mail to pillar_gate;
