-- Whom the invitations to a trial with many eligible patients would reach: counted by a job, because a request may not take that long.
create table trial_forecast (
  trial_id bigint primary key references trial,
  asked_at timestamptz not null,
  -- when the last count began, and when it was done
  counted_at timestamptz,
  done_at timestamptz,
  -- the last count could not be made
  failed_at timestamptz,
  -- counts by channel and reason, and cents by country: no person
  answer jsonb
);
grant select, insert, update on trial_forecast to pillar_system;
