-- Where a letter goes, sealed and bound to a name of the letter that is there before its number is.
alter table mail add column uuid uuid not null default gen_random_uuid(), add column recipient_sealed bytea;
alter table mail alter column recipient drop not null;
