-- Message Info: batches of all pharmacies, newest first.
create index message_batch_newest on message_batch (created_at desc nulls last, id desc);
create index message_batch_uuid on message_batch (uuid);
