-- Enrolments that were taken back: with them the rebates of enrolments add up to the ones that stand.
alter table trial_location add column total_unenrolled integer not null default 0;
