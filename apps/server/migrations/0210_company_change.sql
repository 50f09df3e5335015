-- Up to where in the database's log a replica must have come before it may be asked for figures of a company: past the last change that
-- they may show (decision 062). Company 0 stands for all.
create table company_change (
  company_id bigint primary key,
  -- Null: a load has ended whose position is not known yet, so whoever reads goes by the newest.
  position pg_lsn,
  -- The upload whose load left the position open.
  upload uuid
) with (fillfactor = 50);
select pillar_protect('company_change', 'company', '{pillar_system}');
grant select, insert, update on company_change to pillar_app, pillar_system;
