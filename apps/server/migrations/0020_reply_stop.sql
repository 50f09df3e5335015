-- Head office ended the pharmacy's texts to the number of a reply: when, and who.
alter table message_reply add column stopped_at timestamptz, add column stopped_by bigint references login,
  add check ((stopped_at is null) = (stopped_by is null));
