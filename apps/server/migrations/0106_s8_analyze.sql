-- A register of a million entries arrives in one transaction. Until the database has counted what is new, its plans look up every entry by going
-- through all of them: so the upload has it counted at once.
create function s8_analyze() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  analyze s8_entry;
  analyze s8_balance;
end
$$;
revoke all on function s8_analyze from public;
grant execute on function s8_analyze to pillar_app;
-- The right came with PostgreSQL 17. Before it only the owner of a table may: the statements above then warn and do nothing.
do $$ begin
  if current_setting('server_version_num')::int >= 170000 then execute 'grant maintain on s8_entry, s8_balance to pillar_report'; end if;
end $$;
grant create on schema public to pillar_report;
alter function s8_analyze owner to pillar_report;
revoke create on schema public from pillar_report;
