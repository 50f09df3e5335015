-- Names say plainly what a thing is. Nothing but names changes; what was stored stays as it is.

-- pillar_system: sign-in, sessions, keys, mail and the loops, which run before or across companies. A role belongs to the whole server:
-- where another database of it has renamed the role already, this one's grants and policies are inherited.
do $$
begin
  if not exists (select from pg_roles where rolname = 'pillar_system') then
    alter role pillar_gate rename to pillar_system;
  elsif exists (select from pg_roles where rolname = 'pillar_gate') then
    grant pillar_gate to pillar_system;
  end if;
  execute format('grant pillar_system to %I', current_user);
end $$;

do $$
declare p record;
begin
  for p in select tablename from pg_policies where schemaname = 'public' and policyname = 'gate' loop
    execute format('alter policy gate on %I rename to system', p.tablename);
  end loop;
end $$;

-- Pharmacies whose counts and statistics are to be recounted.
alter table message_due rename to recount_queue;
alter index message_due_pkey rename to recount_queue_pkey;
alter table message_stat_due rename to stat_recount_queue;
alter index message_stat_due_pkey rename to stat_recount_queue_pkey;

-- A password entered again for one act.
alter table step_up_grant rename to step_up;
alter index step_up_grant_pkey rename to step_up_pkey;
alter table step_up rename column grant_hash to token_hash;
