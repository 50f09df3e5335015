-- The words agreed to belong with the link that was used: they are evidence, and no recruiter's list reads them.
alter table trial_link add column agreed_text text;
alter table trial_referral drop column agreed_text;

-- One text a search looks through, with the phone number as digits alone too; empty once the patient has withdrawn.
alter table trial_referral add column search_text text not null generated always as (
  case when withdrawn_at is null then lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' ||
    coalesce(phone_number, '') || ' ' || regexp_replace(coalesce(phone_number, ''), '\D', '', 'g') || ' ' || coalesce(postcode, '') || ' ' ||
    trial_name) else '' end) stored;

-- The list sorts by every column over any number of rows; the day and the pharmacy come along so that the rows before a page are not read.
drop index trial_referral_recruiter;
create index trial_referral_day on trial_referral (recruiter_id, referred_at, consent_id) include (referred_on, location_id) where withdrawn_at is null;
create index trial_referral_first on trial_referral (recruiter_id, lower(first_name), consent_id) include (referred_on, location_id) where withdrawn_at is null;
create index trial_referral_last on trial_referral (recruiter_id, lower(last_name), consent_id) include (referred_on, location_id) where withdrawn_at is null;
create index trial_referral_phone on trial_referral (recruiter_id, phone_number, consent_id) include (referred_on, location_id) where withdrawn_at is null;
create index trial_referral_email on trial_referral (recruiter_id, lower(email), consent_id) include (referred_on, location_id) where withdrawn_at is null;
create index trial_referral_postcode on trial_referral (recruiter_id, postcode, consent_id) include (referred_on, location_id) where withdrawn_at is null;
create index trial_referral_trial on trial_referral (recruiter_id, lower(trial_name), consent_id) include (referred_on, location_id) where withdrawn_at is null;
create index trial_referral_channel on trial_referral (recruiter_id, coalesce(channel, ''), consent_id) include (referred_on, location_id) where withdrawn_at is null;
create index trial_referral_enrolled on trial_referral (recruiter_id, enrolled, consent_id) include (referred_on, location_id) where withdrawn_at is null;
create index trial_referral_contacted on trial_referral (recruiter_id, coalesce(recruiter_contacted::int, -1), consent_id) include (referred_on, location_id) where withdrawn_at is null;
-- One row by what the recruiter calls it.
create index trial_referral_consent on trial_referral (consent_id);
-- The weeks of the picture, withdrawn ones counted apart.
create index trial_referral_weeks on trial_referral (recruiter_id, referred_on);
