-- A visitor's address and number, sealed; the address is recognised again by its blind index.
alter table signup add column email_sealed bytea, add column email_index bytea, add column phone_sealed bytea;
alter table signup alter column email drop not null;
-- One address has one open sign-up, under each key.
create unique index signup_open_email_index on signup (email_index) where state in ('unconfirmed', 'waiting');
grant select (email_sealed, email_index, phone_sealed) on signup to pillar_staff;
