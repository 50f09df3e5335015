-- Of the newest key of a column: whether a rotation passed over values that do not open.
alter table data_key add column altered boolean not null default false;
