-- A search through a hundred thousand referrals needs an index on parts of words, which row-level security rules out: `like` could tell of rows it
-- hides. So the rows are found here, among the recruiter's own alone, and read under row-level security afterwards.
create index trial_referral_search on trial_referral using gin (search_text gin_trgm_ops) where withdrawn_at is null;
create function own_referrals(patterns text[]) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  -- The first pattern is looked up by itself: the index knows no `like all`.
  select consent_id from trial_referral
  where recruiter_id = scope_recruiter_id() and withdrawn_at is null and search_text like patterns[1] and search_text like all (patterns);
$$;
revoke all on function own_referrals from public;
grant execute on function own_referrals to pillar_app;
grant select (recruiter_id, consent_id, search_text, withdrawn_at) on trial_referral to pillar_report;
create policy report on trial_referral for select to pillar_report using (true);
grant create on schema public to pillar_report;
alter function own_referrals owner to pillar_report;
revoke create on schema public from pillar_report;
