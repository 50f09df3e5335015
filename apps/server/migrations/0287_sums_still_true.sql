-- 60-day sums that an upload did not change are kept. upload_at is the time of the pharmacy's last upload that they are true for, null if that
-- is not known; rules is the version of the rules they were counted by. Older servers write neither, so what they count is counted again.
alter table sixty_day_base add column upload_at timestamptz, add column rules smallint;
