-- A batch with cancelled messages that are yet to be skipped, in portions: it is stopped, and its next_at is still set.
create index message_batch_cancelled on message_batch (run_id) where stopped_at is not null and next_at is not null;

-- After sending hours changed, a large run's waiting messages are rescheduled in portions, in order of id. The last one rescheduled; below 0
-- for none yet, null when there is nothing to do.
alter table message_batch add column replanned_to bigint;
