-- What waits and what failed, for an operator's alarms (/metrics): read every few seconds, so each figure has an index of only the rows
-- it is about.
create index upload_open on upload (created_at) where etl_state in ('RECEIVED', 'OVERRIDE', 'PROCESSING');
create index upload_error on upload (etl_stop_time) where etl_state = 'ERROR';
create index gateway_event_failure on gateway_event (received_at) where failure is not null;

-- How many and since when: no person, no text.
grant select (planned_at) on message to pillar_gate;
grant select (num_queued) on message_batch to pillar_gate;
