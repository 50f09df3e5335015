-- By which rules the contacts of a pharmacy's patients were last worked out. Older ones are replaced with its next upload.
alter table location add column contact_rules smallint not null default 0;
