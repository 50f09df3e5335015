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
drop function spend_grant(bytea, uuid, text, text, timestamptz);
-- Uses up a step-up in the transaction of the write it is for: it is spent when that commits, and a write that is refused costs no second
-- password. Two writes at once wait for one another here.
create function spend_step_up(bytea, uuid, text, text, timestamptz) returns setof boolean
language sql volatile security definer set search_path = public as $$
  update step_up set used_at = $5
  where token_hash = $1 and session_id = $2 and action = $3 and object is not distinct from $4 and used_at is null and expires_at > $5
  returning true
$$;
grant create on schema public to pillar_report;
alter function spend_step_up(bytea, uuid, text, text, timestamptz) owner to pillar_report;
revoke create on schema public from pillar_report;
revoke all on function spend_step_up(bytea, uuid, text, text, timestamptz) from public;
grant execute on function spend_step_up(bytea, uuid, text, text, timestamptz) to pillar_app, pillar_staff, pillar_system;
