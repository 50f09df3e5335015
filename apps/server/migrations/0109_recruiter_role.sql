-- A recruiter reads as a role of its own, which knows no table but the referrals:
--   pillar_recruiter   the referrals of one recruiter at a time, read-only; no patient, no pharmacy, no company
-- One policy, without a subquery, is all that role has: a cluster takes it, and its condition is looked up in the index, where two policies
-- of one role are an "or" that is worked out for every row.
do $$
begin
  if not exists (select from pg_roles where rolname = 'pillar_recruiter') then create role pillar_recruiter nologin; end if;
  execute format('grant pillar_recruiter to %I', current_user);
end $$;
grant usage on schema public to pillar_recruiter;
grant select (location_id, trial_id, patient_id, consent_id, recruiter_id, referred_on, referred_at, first_name, last_name, phone_number, email, postcode,
  trial_name, channel, enrolled, recruiter_contacted, rebate_cents, sr_rebate_cents, version, withdrawn_at) on trial_referral to pillar_recruiter;
drop policy recruiter on trial_referral;
create policy recruiter on trial_referral for select to pillar_recruiter using (recruiter_id = scope_recruiter_id());
revoke execute on function own_referrals from pillar_app;
grant execute on function own_referrals to pillar_recruiter;
