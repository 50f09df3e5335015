-- Lists of the support console on a platform of 1,000 companies: 100,000 templates, 20,000 users, batches without end.

-- Parts of words, not their beginnings alone. Trusted: the owner of a database may add it.
create extension if not exists pg_trgm;

-- Name and text in lower case: a search for one or two letters, which no index finds, compares it as it stands.
alter table template add column search_text text generated always as (lower(name || E'\n' || body)) stored;
create index template_search on template using gin (search_text gin_trgm_ops) where removed_at is null;
-- Each order a list can have, both ways. The rows before a late page are passed over in the index.
drop index template_by_name;
create index template_by_name on template (lower(name), id) include (name, company_id) where removed_at is null;
create index template_by_update on template (updated_at, id) where removed_at is null;
create index template_by_type on template
  ((case when sms_template = email_template then 'both' when sms_template then 'sms' else 'email' end), id) where removed_at is null;
create index template_by_active on template (active, id) where removed_at is null;
create index company_by_name on company (lower(name), id);
-- What lists are filtered by: a count reads this index and no template.
create index template_count on template (company_id, id) include (active, enterprise_template, sms_template, email_template)
  where removed_at is null;

create index login_search on login
  using gin ((first_name || ' ' || last_name || ' ' || coalesce(preferred_name, '') || ' ' || username || ' ' || email) gin_trgm_ops);

-- Batches by their id alone, and by what a search of Message Info looks for.
create index message_batch_id on message_batch (id);
create index message_batch_company on message_batch (company_id, id);
create index message_batch_template on message_batch using gin (template_name gin_trgm_ops);
create index location_search on location using gin (name gin_trgm_ops);
create index sequence_search on sequence using gin (title gin_trgm_ops);
