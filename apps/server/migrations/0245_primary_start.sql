-- When the server that writes was started. A standby that shows this row follows that server, and no other of its past or of another copy
-- of it (decision 062).
create table primary_start (
  -- pg_postmaster_start_time() as microseconds since 1970.
  started_us bigint primary key
) with (fillfactor = 50);
grant select on primary_start to pillar_app, pillar_system;
grant insert, delete on primary_start to pillar_system;
