-- Since when a gateway says that the patient's number, or address, does not exist; null while it may be written to.
alter table patient add column sms_gone_at timestamptz, add column email_gone_at timestamptz;
