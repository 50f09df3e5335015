-- The simulator of a gateway: what it took, as if it were another company's system. Nothing in it leaves the house.
create table simulator_message (
  id bigint generated always as identity primary key,
  reference text not null unique,
  channel text not null check (channel in ('sms', 'email')),
  recipient text not null,
  sender text not null,
  subject text,
  body text not null,
  accepted_at timestamptz not null,
  -- how it will end; null for a phone that says nothing
  outcome text check (outcome in ('delivered', 'failed')),
  reason text,
  -- what the person will answer
  reply text,
  -- when the next of receipt and reply is told; null when all is told
  receipt_at timestamptz,
  reply_at timestamptz
);
create index simulator_message_receipt on simulator_message (receipt_at) where receipt_at is not null;
create index simulator_message_reply on simulator_message (reply_at) where reply_at is not null;
create index simulator_message_old on simulator_message (accepted_at);
grant select, insert, update, delete on simulator_message to pillar_gate;
