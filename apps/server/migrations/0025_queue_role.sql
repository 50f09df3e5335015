-- The job queue's bookkeeping has a role of its own, so that serving needs nothing of the owner:
--   pillar_queue   takes jobs and writes down what became of them; sees no other table
do $$
begin
  if not exists (select from pg_roles where rolname = 'pillar_queue') then create role pillar_queue nologin; end if;
  execute format('grant pillar_queue to %I', current_user);
end $$;
-- What a start reads to tell whether the schema is the one its program was written for.
grant select on migration to pillar_gate;
