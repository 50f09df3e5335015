-- After a restore: from the moment the restored database stands at until it was told so, messages may have gone out that it does not know
-- of. Follow-ups that were due by then are not sent (decision 064).
create table restore_gap (
  since timestamptz primary key,
  until timestamptz not null,
  check (since < until)
);
grant select on restore_gap to pillar_app;
grant select, insert on restore_gap to pillar_system;
