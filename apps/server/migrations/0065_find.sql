-- Finding things by the words of their names, in the support console: the beginning of each word, whatever stands between them.
create function name_words(name text) returns tsvector language sql immutable parallel safe as
  $$ select to_tsvector('simple', regexp_replace(lower(name), '[^[:alnum:]]+', ' ', 'g')) $$;
create index company_words on company using gin (name_words(name)) where removed_at is null;
create index location_words on location using gin (name_words(name)) where removed_at is null;
create index login_words on login using gin (name_words(first_name || ' ' || last_name || ' ' || username || ' ' || email));
create index template_words on template using gin (name_words(name)) where removed_at is null;
create index template_recommendation_words on template_recommendation using gin (name_words(name)) where removed_at is null;
create index campaign_words on campaign using gin (name_words(name)) where removed_at is null;
create index campaign_recommendation_words on campaign_recommendation using gin (name_words(name)) where removed_at is null;
create index sequence_words on sequence using gin (name_words(title)) where removed_at is null;
-- A row by the beginning of an object's name in the audit.
create index audit_object_name on audit (lower(object_name) text_pattern_ops, at, id) where object_name is not null;
