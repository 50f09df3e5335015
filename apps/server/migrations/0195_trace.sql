-- Where an upload or an activation was asked for, in the form of W3C Trace Context, so that what is done with it later, in another process,
-- belongs to the same trace (decision 059). Random digits that say nothing of anybody; null while telemetry is off.
alter table upload add column trace text check (trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$');
alter table message_run add column trace text check (trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$');

-- Counts of a run's messages by state, for /metrics.
grant select (num_sending, num_sent, num_delivered, num_failed, num_skipped, num_unknown) on message_batch to pillar_system;
