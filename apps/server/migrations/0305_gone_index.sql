-- no transaction
create index concurrently if not exists patient_gone on patient (location_id) where sms_gone_at is not null or email_gone_at is not null;
