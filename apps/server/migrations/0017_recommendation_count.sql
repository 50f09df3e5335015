-- How many patients of each pharmacy a recommended campaign's filters select, as of its newest data: counted after each upload.
create table recommendation_count (
  location_id bigint not null,
  campaign_recommendation_id bigint not null references campaign_recommendation on delete cascade,
  -- of the filters that were counted: after support has changed them the count says nothing
  filters_md5 text not null,
  -- null where the filters make no sense
  patients integer,
  counted_at timestamptz not null,
  primary key (location_id, campaign_recommendation_id)
);

do $$
declare t text;
begin
  foreach t in array array['recommendation_count'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to pillar_app using (location_id = any ((select scope_location_ids())::bigint[])) with check (location_id = any ((select scope_location_ids())::bigint[]))', t);
    execute format('grant select, insert, update, delete on %I to pillar_app', t);
  end loop;
end $$;

-- Which sequences use a template is asked before it is switched off or deleted.
create index follow_up_template on follow_up (template_id);
