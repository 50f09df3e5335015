-- no transaction
create index concurrently if not exists gateway_event_receipt on gateway_event (id) where done_at is null and payload->>'kind' = 'receipt'
