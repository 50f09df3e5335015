-- Whom the next invitations concern: eligible, and not invited yet.
create index trial_participant_waiting on trial_participant (location_id, trial_id, patient_id) where state = 'eligible';
