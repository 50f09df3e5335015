-- Prescriptions are numbered by a sequence of their own instead of an identity column: a cluster takes a table with an identity column
-- to its workers, and does not give it back (decision 067). The numbers go on where they were.
-- contract: 0.1.0 runs on: no version names the sequence, and the lock lasts for changes of the catalogue alone
lock table prescription in access exclusive mode;
create sequence prescription_number as bigint owned by prescription.id;
select setval('prescription_number', last_value, is_called) from prescription_id_seq;
alter table prescription alter column id drop identity;
alter table prescription alter column id set default nextval('prescription_number');
grant usage on sequence prescription_number to pillar_app;
