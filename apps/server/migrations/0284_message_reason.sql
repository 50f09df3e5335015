-- no transaction
create index concurrently if not exists message_reason on message (location_id, run_id, state, channel, reason) where state in ('skipped', 'failed')
