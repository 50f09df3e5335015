-- When the primary was started. A standby that has this row replicates from this primary since that start, not from an earlier primary or
-- from another copy of the database (decision 062).
create table primary_start (
  -- pg_postmaster_start_time() as microseconds since 1970.
  started_us bigint primary key
) with (fillfactor = 50);
grant select on primary_start to pillar_app, pillar_system;
grant insert, delete on primary_start to pillar_system;
