-- Keys of columns that were switched over: a version that does not know such a column must not be started, it would read nothing in it and
-- write beside it. Versions before this one do not ask.
alter table data_key add column switched boolean not null default false;
update data_key set switched = true where filled_at is not null or column_name in ('contact', 'patient.mobile', 'patient.email', 'gateway_event.payload');
