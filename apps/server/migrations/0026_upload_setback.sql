-- What the server is to blame for costs an upload nothing: it waits until retry_at, longer after each setback.
alter table upload add column retry_at timestamptz, add column setbacks integer not null default 0;
