-- Referrals are sorted by the number, however each is written: +61 491 570 337 and 0491570337 stand side by side.
create index trial_referral_number on trial_referral
  (recruiter_id, (regexp_replace(regexp_replace(phone_number, '[^0-9+]', '', 'g'), '^(\+(61|44|1)0?|0)', '')), consent_id)
  include (referred_on, location_id) where withdrawn_at is null;

-- contract: 0.1.0 runs on: it sorts by the number as written, without this index while both run
drop index trial_referral_phone;
