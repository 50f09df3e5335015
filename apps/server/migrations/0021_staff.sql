-- The support console: a role of its own, and one function that makes every policy.
--   pillar_staff   the console's calls over all companies: companies, people, locations, uploads, templates, campaigns and counts,
--                  but no patient, no script, no text of a message and no secret
do $$
begin
  if not exists (select from pg_roles where rolname = 'pillar_staff') then create role pillar_staff nologin; end if;
  execute format('grant pillar_staff to %I', current_user);
end $$;
grant usage on schema public to pillar_staff;

-- Puts a table behind row-level security, anew each time it is called. keyed_by names the column that says whose a row is:
-- 'location' (location_id), 'company' (company_id), 'pharmacy' (the table of pharmacies itself) or 'nobody' (no tenant sees it).
-- Overseers are roles that see every row; their grants say which columns. The scope is read once a statement, by a subquery; a cluster
-- takes no subqueries in policies, so there it is read for each row.
create function pillar_protect(target regclass, keyed_by text, overseers name[] default '{}', on_cluster boolean default false)
returns void language plpgsql as $$
declare
  locations text := case when on_cluster then 'scope_location_ids()' else '(select scope_location_ids())::bigint[]' end;
  company text := case when on_cluster then 'scope_company_id()' else '(select scope_company_id())' end;
  own text;
  one name;
begin
  own := case keyed_by
    when 'location' then format('location_id = any (%s)', locations)
    when 'company' then format('company_id = %s', company)
    when 'pharmacy' then format('company_id = %s and id = any (%s)', company, locations)
    when 'nobody' then null
  end;
  if own is null and keyed_by <> 'nobody' then raise exception 'pillar_protect: no such key: %', keyed_by; end if;
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  for one in select polname from pg_policy where polrelid = target loop
    execute format('drop policy %I on %s', one, target);
  end loop;
  if own is not null then
    execute format('create policy tenant on %s to pillar_app using (%s) with check (%s)', target, own, own);
  end if;
  foreach one in array overseers loop
    execute format('create policy %I on %s to %I using (true) with check (true)', substr(one, length('pillar_') + 1), target, one);
  end loop;
end $$;
revoke all on function pillar_protect(regclass, text, name[], boolean) from public;

do $$
declare t text;
begin
  foreach t in array array['upload_file', 'upload_fault', 'patient', 'prescriber', 'drug', 'prescription', 'script', 'stock', 'patient_measure', 'consent_entry',
    'consent', 'patient_fact', 'touch', 'message_stat', 'follow_up_message', 'campaign_stat', 'campaign_result', 'campaign_group', 'recommendation_count', 'message_reply'] loop
    perform pillar_protect(t::regclass, 'location');
  end loop;
  foreach t in array array['messaging_setting', 'contact_history'] loop
    perform pillar_protect(t::regclass, 'company');
  end loop;
  foreach t in array array['template', 'campaign', 'campaign_location', 'campaign_template'] loop
    perform pillar_protect(t::regclass, 'company', '{pillar_staff}');
  end loop;
end $$;
select pillar_protect('location', 'pharmacy', '{pillar_gate,pillar_report,pillar_staff}');
select pillar_protect('upload', 'location', '{pillar_gate,pillar_staff}');
select pillar_protect('metric_cell', 'location', '{pillar_report}');
select pillar_protect('metric_total', 'location', '{pillar_report}');
select pillar_protect('message_run', 'company', '{pillar_gate,pillar_staff}');
select pillar_protect('message_batch', 'location', '{pillar_gate,pillar_staff}');
select pillar_protect('message_due', 'location', '{pillar_gate}');
select pillar_protect('message', 'location', '{pillar_gate}');
select pillar_protect('consent_request', 'location', '{pillar_gate}');
select pillar_protect('enrolment', 'location', '{pillar_gate}');
select pillar_protect('message_stat_due', 'location', '{pillar_gate}');
select pillar_protect('report_request', 'location', '{pillar_gate}');
select pillar_protect('report_file', 'nobody', '{pillar_gate}');
select pillar_protect('sequence', 'location', '{pillar_staff}');
select pillar_protect('follow_up', 'location', '{pillar_staff}');

grant select, insert, update on company to pillar_staff;
grant select (id, uuid, company_id, username, email, first_name, last_name, sr_login, guild_login, clinical_trials_login,
    sixty_day_signup, data_analytics, supplier_analytics, ad_analytics, ecdr, portal_eula_at, disabled_at, must_change_password,
    password_changed_at, created_at),
  insert, update (disabled_at) on login to pillar_staff;
grant select (id, uuid, company_id, name, street_address, town, region, postcode, country, phone_number, latitude, longitude,
    time_zone, data_source, owner_login_id, removed_at, created_at, data_from, data_to, last_upload_at, sms_sender,
    sms_sender_registered) on location to pillar_staff;
grant select on upload, campaign, campaign_location, campaign_template, message_run, sequence, follow_up, sequence_recommendation,
  sequence_recommendation_template, campaign_recommendation, campaign_recommendation_template to pillar_staff;
grant delete on campaign_template to pillar_staff;
grant select, insert, update on template, template_recommendation, sequence_event to pillar_staff;
grant select (location_id, id, uuid, run_id, company_id, channel, context, template_id, template_name, message_kind, user_name,
    created_at, stopped_at, num_patients, num_queued, num_sending, num_sent, num_delivered, num_failed, num_skipped, num_unknown,
    parts, cents, fake_patients) on message_batch to pillar_staff;
grant insert on audit to pillar_staff;
-- A company's own log, and all that was done to one thing.
create index audit_company on audit (company_id, id);
create index audit_object on audit (object, id) where object is not null;

-- Uses up the grant of a re-entered password in the transaction of the write it is for: it is spent when that commits, and a write that is
-- refused costs no second password. Two writes at once wait for one another here.
grant select, update on step_up_grant to pillar_report;
create function spend_grant(bytea, uuid, text, text, timestamptz) returns setof boolean
language sql volatile security definer set search_path = public as $$
  update step_up_grant set used_at = $5
  where grant_hash = $1 and session_id = $2 and action = $3 and object is not distinct from $4 and used_at is null and expires_at > $5
  returning true
$$;
grant create on schema public to pillar_report;
alter function spend_grant(bytea, uuid, text, text, timestamptz) owner to pillar_report;
revoke create on schema public from pillar_report;
revoke all on function spend_grant(bytea, uuid, text, text, timestamptz) from public;
grant execute on function spend_grant(bytea, uuid, text, text, timestamptz) to pillar_app, pillar_staff, pillar_gate;
