-- A function that runs with its owner's rights looked for tables among the temporary ones of whoever called it first, as PostgreSQL does
-- where a search path does not name them: a temporary table of the name of a real one stood in its place. Now they come last.
alter function average_candidates(text,integer[]) set search_path = public, pg_temp;
alter function average_figures(text,integer,integer) set search_path = public, pg_temp;
alter function board_facts(text,integer,integer) set search_path = public, pg_temp;
alter function company_location_ids() set search_path = public, pg_temp;
alter function find_request(bigint,bytea) set search_path = public, pg_temp;
alter function guild_sixty_day_behind(date) set search_path = public, pg_temp;
alter function guild_sixty_day_candidates(date,date) set search_path = public, pg_temp;
alter function guild_sixty_day_figures(date) set search_path = public, pg_temp;
alter function guild_sixty_day_totals(date,date) set search_path = public, pg_temp;
alter function is_confirmed_contact(bigint,text,text,timestamp with time zone) set search_path = public, pg_temp;
alter function keep_request(bigint,bytea,bytea,text,timestamp with time zone) set search_path = public, pg_temp;
alter function sixty_day_stale(date,date,bigint,bigint) set search_path = public, pg_temp;
alter function spend_step_up(bytea,uuid,text,text,timestamp with time zone) set search_path = public, pg_temp;
alter function unused_contacts(text[]) set search_path = public, pg_temp;

-- The contact of a pharmacy is mailed its patients' names. Whoever is shut out is still named as it, and is mailed nothing.
create or replace view location_owner with (security_barrier) as
  select l.id as location_id, o.first_name || ' ' || o.last_name as name, o.email, o.uuid, o.first_name, o.last_name,
    o.disabled_at is null as reachable
  from location l join login o on o.id = l.owner_login_id and o.company_id = l.company_id
  where l.id = any ((select scope_location_ids())::bigint[]) and l.company_id = (select scope_company_id());
