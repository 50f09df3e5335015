-- no transaction
create index concurrently if not exists message_batch_template_name on message_batch (template_name)
