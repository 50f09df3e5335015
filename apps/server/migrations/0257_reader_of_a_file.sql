-- A report's link stops working when whoever it was mailed to can sign in no longer. Files of before have no reader and end within a day.
alter table report_file add column reader_id bigint;
